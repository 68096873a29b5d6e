//! Media types by the end of a name. Nothing is guessed from the bytes.

/// The media type of a name; `application/octet-stream` where the end says nothing.
pub(crate) fn media_type(path: &str) -> &'static str {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    let Some((_, extension)) = file.rsplit_once('.') else { return "application/octet-stream" };
    match extension.to_ascii_lowercase().as_str() {
        "csv" => "text/csv",
        "css" => "text/css",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "eml" => "message/rfc822",
        "gif" => "image/gif",
        "gz" => "application/gzip",
        "htm" | "html" => "text/html",
        "jpeg" | "jpg" => "image/jpeg",
        "js" | "mjs" => "text/javascript",
        "json" => "application/json",
        "jsonl" | "ndjson" => "application/x-ndjson",
        "md" | "markdown" => "text/markdown",
        "mp3" => "audio/mpeg",
        "mp4" => "video/mp4",
        "parquet" => "application/vnd.apache.parquet",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "svg" => "image/svg+xml",
        "tar" => "application/x-tar",
        "tif" | "tiff" => "image/tiff",
        "tsv" => "text/tab-separated-values",
        "txt" | "log" => "text/plain",
        "wav" => "audio/wav",
        "webp" => "image/webp",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xml" => "application/xml",
        "yaml" | "yml" => "application/yaml",
        "zip" => "application/zip",
        _ => "application/octet-stream",
    }
}
