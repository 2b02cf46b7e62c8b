//! Ratings, and the results they are computed from.

use super::{
    StoreError,
    queries::push_game,
    writer::{StoreWriter, player_key},
};
use serde::Serialize;
use sqlx::{QueryBuilder, Row, sqlite::SqliteRow};

/// Identity of a player: spec and build.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct PlayerId {
    /// Canonical spec, such as `minimax:depth=3`.
    #[serde(rename = "player")]
    pub spec: String,
    /// Build of the program or engine.
    pub build: String,
}

/// Rating of a player in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredRating {
    /// The game with its options.
    pub game: String,
    /// The player.
    #[serde(flatten)]
    pub player: PlayerId,
    /// Elo.
    pub rating: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Points per game, from 0 to 1.
    pub score: f64,
    /// Time of computation, in seconds since 1970.
    pub computed_at: i64,
}

/// Results of two players in games with the same first side. A game stored in several contests counts
/// once, unless it was lost by a fault or on time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairResults {
    /// The first side.
    pub first: PlayerId,
    /// The second side.
    pub second: PlayerId,
    /// Games the first side won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games the first side lost.
    pub losses: u64,
}

impl StoreWriter {
    pub(super) fn save_ratings(
        &mut self,
        game: &str,
        ratings: &[StoredRating],
    ) -> Result<(), StoreError> {
        if let Some(rating) = ratings.iter().find(|rating| {
            ![rating.rating, rating.error, rating.score].iter().all(|number| number.is_finite())
        }) {
            let player = &rating.player.spec;
            return Err(StoreError::Invalid(format!("a rating of {player} that is no number")));
        }
        self.transact(async |transaction| {
            sqlx::query("DELETE FROM ratings WHERE game = $1")
                .bind(game)
                .execute(&mut **transaction)
                .await?;
            for rating in ratings {
                let PlayerId { spec, build } = &rating.player;
                let player = player_key(transaction, spec, build).await?;
                sqlx::query(
                    "INSERT INTO ratings (player, game, rating, error, games, score, computed_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7)",
                )
                .bind(player)
                .bind(game)
                .bind(rating.rating)
                .bind(rating.error)
                .bind(i64::try_from(rating.games).unwrap_or(i64::MAX))
                .bind(rating.score)
                .bind(rating.computed_at)
                .execute(&mut **transaction)
                .await?;
            }
            Ok(())
        })
    }

    pub(super) fn ratings(&mut self, game: Option<&str>) -> Result<Vec<StoredRating>, StoreError> {
        let mut query = QueryBuilder::new(
            "SELECT r.game, p.spec, p.build, r.rating, r.error, r.games, r.score, r.computed_at
             FROM ratings r JOIN players p ON p.id = r.player WHERE 1 = 1",
        );
        if let Some(game) = game {
            push_game(&mut query, "r.game", game);
        }
        query.push(" ORDER BY r.game, r.rating DESC, p.spec, p.build");
        self.fetch(query, |row| {
            Ok(StoredRating {
                game: row.try_get(0)?,
                player: PlayerId { spec: row.try_get(1)?, build: row.try_get(2)? },
                rating: row.try_get(3)?,
                error: row.try_get(4)?,
                games: row.try_get::<i64, _>(5)?.unsigned_abs(),
                score: row.try_get(6)?,
                computed_at: row.try_get(7)?,
            })
        })
    }

    pub(super) fn pair_results(&mut self, game: &str) -> Result<Vec<PairResults>, StoreError> {
        let mut query = QueryBuilder::new(
            "SELECT f.spec, f.build, s.spec, s.build,
                 sum(CASE WHEN g.result = 'first' THEN 1 ELSE 0 END),
                 sum(CASE WHEN g.result = 'draw' THEN 1 ELSE 0 END),
                 sum(CASE WHEN g.result = 'second' THEN 1 ELSE 0 END)
             FROM (SELECT DISTINCT COALESCE(cf.identity, g.first_player) AS first,
                       COALESCE(cs.identity, g.second_player) AS second,
                       g.opening, g.moves, g.result,
                       CASE WHEN g.category IN ('forfeit', 'time') THEN g.id END
                   FROM games g
                   JOIN contests c ON c.id = g.contest
                   LEFT JOIN contest_players cf
                       ON cf.contest = g.contest AND cf.player = g.first_player
                   LEFT JOIN contest_players cs
                       ON cs.contest = g.contest AND cs.player = g.second_player
                   WHERE c.game = ",
        );
        query.push_bind(game.to_owned());
        query.push(
            ") g
             JOIN players f ON f.id = g.first
             JOIN players s ON s.id = g.second
             GROUP BY f.spec, f.build, s.spec, s.build ORDER BY f.spec, f.build, s.spec, s.build",
        );
        self.fetch(query, |row| {
            let count = |column: usize| -> Result<u64, sqlx::Error> {
                Ok(row.try_get::<i64, _>(column)?.unsigned_abs())
            };
            Ok(PairResults {
                first: PlayerId { spec: row.try_get(0)?, build: row.try_get(1)? },
                second: PlayerId { spec: row.try_get(2)?, build: row.try_get(3)? },
                wins: count(4)?,
                draws: count(5)?,
                losses: count(6)?,
            })
        })
    }

    fn fetch<T>(
        &mut self,
        mut query: QueryBuilder<sqlx::Sqlite>,
        read: impl Fn(&SqliteRow) -> Result<T, sqlx::Error>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.run(async |connection| query.build().fetch_all(connection).await)?;
        let values: Result<Vec<T>, sqlx::Error> = rows.iter().map(read).collect();
        values.map_err(|error| StoreError::of_database(self.path(), &error))
    }
}
