//! What a request is told when it fails: a status and `{"error": {"message": "..."}}`.

use axum::{
    Json,
    extract::{
        FromRequest, FromRequestParts, OptionalFromRequest, Request,
        rejection::{JsonRejection, PathRejection, QueryRejection},
    },
    http::{
        StatusCode,
        header::{CONTENT_LENGTH, CONTENT_TYPE},
        request::Parts,
    },
    response::{IntoResponse, Response},
};
use ludus_arena::store::StoreError;
use ludus_core::{PlayerError, TextError};
use serde::{Serialize, de::DeserializeOwned};
use std::time::Duration;
use utoipa::ToSchema;

/// Why a request was not answered as it hoped.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub message: String,
}

/// The JSON of an error.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    error: ErrorMessage,
}

#[derive(Serialize, ToSchema)]
struct ErrorMessage {
    /// What was wrong and what would be right.
    message: String,
}

impl ApiError {
    fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, message: message.into() }
    }

    /// The input is wrong.
    pub fn bad(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    /// The caller may not.
    pub fn forbidden(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, message)
    }

    /// There is no such thing.
    pub fn missing(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    /// Not now: the state of things does not allow it.
    pub fn conflict(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, message)
    }

    /// Too much was sent.
    pub fn too_large(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// Too many requests.
    pub fn too_many(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// Something on our side does not work, or has too much to do.
    pub fn unavailable(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The address exists, the method does not.
    pub async fn wrong_method() -> ApiError {
        let message = "this address does not take that method: GET /api lists what there is";
        ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = ErrorBody { error: ErrorMessage { message: self.message } };
        (self.status, Json(body)).into_response()
    }
}

impl From<TextError> for ApiError {
    fn from(error: TextError) -> ApiError {
        ApiError::bad(error.to_string())
    }
}

impl From<PlayerError> for ApiError {
    fn from(error: PlayerError) -> ApiError {
        match error {
            PlayerError::Input(error) => error.into(),
            other => ApiError::unavailable(format!("the player failed: {other}")),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        ApiError::unavailable(error.to_string())
    }
}

/// How long a body may take to come.
const BODY_TIME: Duration = Duration::from_secs(20);

/// A JSON body, refused in our words.
pub struct Input<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Input<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Input<T>, ApiError> {
        let body = <Json<T> as FromRequest<S>>::from_request(request, state);
        let read = tokio::time::timeout(BODY_TIME, body);
        let late = || ApiError::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time");
        match read.await.map_err(|_| late())? {
            Ok(Json(value)) => Ok(Input(value)),
            Err(JsonRejection::BytesRejection(error)) => {
                Err(ApiError::new(error.status(), error.body_text()))
            }
            Err(error) => Err(ApiError::bad(format!("{}: expected JSON", error.body_text()))),
        }
    }
}

/// A body that may be left out.
impl<T: DeserializeOwned, S: Send + Sync> OptionalFromRequest<S> for Input<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Option<Input<T>>, ApiError> {
        let headers = request.headers();
        let is_empty = headers.get(CONTENT_LENGTH).is_some_and(|length| length == "0");
        if is_empty || !headers.contains_key(CONTENT_TYPE) {
            return Ok(None);
        }
        <Input<T> as FromRequest<S>>::from_request(request, state).await.map(Some)
    }
}

/// The variables of a path, refused in our words.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, ApiError> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        let refuse = |error: PathRejection| ApiError::missing(error.body_text());
        read.map(|axum::extract::Path(value)| Path(value)).map_err(refuse)
    }
}

/// The query of an address, refused in our words.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, ApiError> {
        let read = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        let refuse = |error: QueryRejection| ApiError::bad(error.body_text());
        read.map(|axum::extract::Query(value)| Query(value)).map_err(refuse)
    }
}
