//! Documents: JSON objects that the server stores as a whole.

use super::{
    Store, StoreError,
    writer::{StoreChange, StoreWriter},
};
use sqlx::{Row, Sqlite, Transaction, sqlite::SqliteRow};

/// A document, such as a game in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredDocument {
    /// Kind, such as `table`.
    pub kind: String,
    /// Id, unique within its kind.
    pub id: String,
    /// Summary for lists.
    pub summary: serde_json::Value,
    /// Full content.
    pub document: serde_json::Value,
    /// Whether it is final.
    pub finished: bool,
    /// Time of the last change, in milliseconds since 1970.
    pub updated_at: i64,
}

/// A change to one document.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentChange {
    /// Adds a document, or replaces the one with its kind and id.
    Save(StoredDocument),
    /// Deletes a document, if it exists.
    Delete {
        /// Its kind.
        kind: String,
        /// Its id.
        id: String,
    },
}

impl Store {
    /// Changes documents in one transaction; returns when it is committed.
    pub fn change_documents(&self, changes: Vec<DocumentChange>) -> Result<(), StoreError> {
        self.queue(StoreChange::Documents(changes))?.wait()
    }

    /// Queues changes of documents without waiting, and refuses them if too many are queued. They are
    /// committed together, and with the changes of others that wait; then `on_done` is called on the
    /// thread of the store.
    pub fn submit_documents(
        &self,
        changes: Vec<DocumentChange>,
        on_done: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        self.handle.try_add(StoreChange::Documents(changes), Box::new(on_done))
    }

    /// The document with this id.
    pub fn document(&self, kind: &str, id: &str) -> Result<Option<StoredDocument>, StoreError> {
        let (kind, id) = (kind.to_owned(), id.to_owned());
        self.call(move |writer| writer.document(&kind, &id))
    }

    /// The `limit` most recently changed documents of a kind, newest first.
    pub fn latest_documents(
        &self,
        kind: &str,
        limit: u32,
    ) -> Result<Vec<StoredDocument>, StoreError> {
        let kind = kind.to_owned();
        self.call(move |writer| writer.latest_documents(&kind, limit))
    }

    /// Deletes all but `keep` documents of a kind: first the finished ones that changed least recently,
    /// then the others.
    pub fn trim_documents(&self, kind: &str, keep: u32) -> Result<u64, StoreError> {
        let kind = kind.to_owned();
        self.call(move |writer| writer.trim_documents(&kind, keep))
    }
}

const COLUMNS: &str = "SELECT kind, id, summary, document, finished, updated_at FROM documents";

impl StoreWriter {
    fn document(&mut self, kind: &str, id: &str) -> Result<Option<StoredDocument>, StoreError> {
        let select = format!("{COLUMNS} WHERE kind = $1 AND id = $2");
        let row = self.transact(async |transaction| {
            let query = sqlx::query(sqlx::AssertSqlSafe(select)).bind(kind).bind(id);
            query.fetch_optional(&mut **transaction).await
        })?;
        row.map(|row| read(&row).map_err(|error| StoreError::of_database(self.path(), &error)))
            .transpose()
    }

    fn latest_documents(
        &mut self,
        kind: &str,
        limit: u32,
    ) -> Result<Vec<StoredDocument>, StoreError> {
        let select = format!("{COLUMNS} WHERE kind = $1 ORDER BY updated_at DESC, id LIMIT $2");
        let rows = self.transact(async |transaction| {
            let query = sqlx::query(sqlx::AssertSqlSafe(select)).bind(kind).bind(limit);
            query.fetch_all(&mut **transaction).await
        })?;
        let read = |row| read(row).map_err(|error| StoreError::of_database(self.path(), &error));
        rows.iter().map(read).collect()
    }

    fn trim_documents(&mut self, kind: &str, keep: u32) -> Result<u64, StoreError> {
        self.transact(async |transaction| {
            let deleted = sqlx::query(
                "DELETE FROM documents WHERE kind = $1 AND id IN (
                     SELECT id FROM documents WHERE kind = $1
                     ORDER BY finished, updated_at DESC LIMIT -1 OFFSET $2)",
            )
            .bind(kind)
            .bind(keep)
            .execute(&mut **transaction)
            .await?;
            Ok(deleted.rows_affected())
        })
    }
}

/// Makes the changes in this order.
pub(super) async fn apply(
    transaction: &mut Transaction<'_, Sqlite>,
    changes: &[DocumentChange],
) -> Result<(), sqlx::Error> {
    for change in changes {
        match change {
            DocumentChange::Save(document) => save(transaction, document).await?,
            DocumentChange::Delete { kind, id } => {
                let delete = "DELETE FROM documents WHERE kind = $1 AND id = $2";
                sqlx::query(delete).bind(kind).bind(id).execute(&mut **transaction).await?;
            }
        }
    }
    Ok(())
}

async fn save(
    transaction: &mut Transaction<'_, Sqlite>,
    document: &StoredDocument,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO documents (kind, id, summary, document, finished, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (kind, id) DO UPDATE SET summary = excluded.summary,
             document = excluded.document, finished = excluded.finished,
             updated_at = excluded.updated_at",
    )
    .bind(&document.kind)
    .bind(&document.id)
    .bind(document.summary.to_string())
    .bind(document.document.to_string())
    .bind(document.finished)
    .bind(document.updated_at)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

fn read(row: &SqliteRow) -> Result<StoredDocument, sqlx::Error> {
    let json = |column: &str| -> Result<serde_json::Value, sqlx::Error> {
        let text: String = row.try_get(column)?;
        serde_json::from_str(&text).map_err(|error| sqlx::Error::ColumnDecode {
            index: column.to_owned(),
            source: Box::new(error),
        })
    };
    Ok(StoredDocument {
        kind: row.try_get("kind")?,
        id: row.try_get("id")?,
        summary: json("summary")?,
        document: json("document")?,
        finished: row.try_get("finished")?,
        updated_at: row.try_get("updated_at")?,
    })
}
