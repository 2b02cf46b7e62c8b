//! API errors: a status and `{"error": {"message": "..."}}`.

use axum::{
    Json,
    extract::{
        FromRequest, FromRequestParts, OptionalFromRequest, Request,
        rejection::{JsonRejection, PathRejection, QueryRejection},
    },
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER},
        request::Parts,
    },
    response::{IntoResponse, Response},
};
use ludus_arena::store::StoreError;
use ludus_core::{PlayerError, TextError};
use serde::{Serialize, de::DeserializeOwned};
use std::time::Duration;
use utoipa::ToSchema;

/// Seconds after which a request that was answered 503 should be sent again.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// An error response.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub message: String,
}

/// JSON of an error.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    error: ErrorMessage,
}

#[derive(Serialize, ToSchema)]
struct ErrorMessage {
    /// Problem and expected input, in words.
    message: String,
}

impl ApiError {
    fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, message: message.into() }
    }

    /// 400: invalid input.
    pub fn bad(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    /// 403: not allowed.
    pub fn forbidden(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, message)
    }

    /// 404: not found.
    pub fn missing(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    /// 409: not possible in the current state.
    pub fn conflict(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, message)
    }

    /// 413: the body is too large.
    pub fn too_large(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// 429: too many requests, or too many running jobs.
    pub fn too_many(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// 503: an internal error, or the server is overloaded.
    pub fn unavailable(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// 405: the path exists, but not with this method.
    pub async fn wrong_method() -> ApiError {
        let message = "method not allowed: GET /api lists all requests";
        ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = ErrorBody { error: ErrorMessage { message: self.message } };
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        response
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

/// Time to receive a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// JSON body; malformed input becomes an `ApiError`.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, ApiError> {
        let body = <Json<T> as FromRequest<S>>::from_request(request, state);
        let read = tokio::time::timeout(BODY_TIMEOUT, body);
        let late =
            || ApiError::new(StatusCode::REQUEST_TIMEOUT, "timeout while receiving the body");
        match read.await.map_err(|_| late())? {
            Ok(Json(value)) => Ok(JsonBody(value)),
            Err(JsonRejection::BytesRejection(error)) => {
                Err(ApiError::new(error.status(), error.body_text()))
            }
            Err(error) => Err(ApiError::bad(format!("{}: expected JSON", error.body_text()))),
        }
    }
}

/// An optional body.
impl<T: DeserializeOwned, S: Send + Sync> OptionalFromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Option<JsonBody<T>>, ApiError> {
        let headers = request.headers();
        let is_empty = headers.get(CONTENT_LENGTH).is_some_and(|length| length == "0");
        if is_empty || !headers.contains_key(CONTENT_TYPE) {
            return Ok(None);
        }
        <JsonBody<T> as FromRequest<S>>::from_request(request, state).await.map(Some)
    }
}

/// Path parameters; malformed ones become an `ApiError`.
pub struct PathParams<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathParams<T>, ApiError> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        let refuse = |error: PathRejection| ApiError::missing(error.body_text());
        read.map(|axum::extract::Path(value)| PathParams(value)).map_err(refuse)
    }
}

/// Query parameters; malformed ones become an `ApiError`.
pub struct QueryParams<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryParams<T>, ApiError> {
        let read = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        let refuse = |error: QueryRejection| ApiError::bad(error.body_text());
        read.map(|axum::extract::Query(value)| QueryParams(value)).map_err(refuse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unavailable_says_when_to_try_again() {
        let response = ApiError::unavailable("the disk is full").into_response();
        assert_eq!(response.headers()[RETRY_AFTER], "1");
        let response = ApiError::conflict("not your turn").into_response();
        assert!(!response.headers().contains_key(RETRY_AFTER));
    }
}
