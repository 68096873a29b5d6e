//! The elements that need an end tag, and those that end when another begins.

/// Returns whether an element has neither content nor an end tag.
pub(crate) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Returns whether the content of an element is not markup.
pub(crate) fn is_raw(name: &str) -> bool {
    matches!(name, "script" | "style" | "textarea" | "title" | "xmp" | "iframe" | "noembed" | "noframes")
}

/// Returns whether the end tag of an element may be left out.
pub(crate) fn has_optional_end(name: &str) -> bool {
    matches!(
        name,
        "html"
            | "head"
            | "body"
            | "li"
            | "dt"
            | "dd"
            | "p"
            | "rt"
            | "rp"
            | "optgroup"
            | "option"
            | "colgroup"
            | "caption"
            | "thead"
            | "tbody"
            | "tfoot"
            | "tr"
            | "td"
            | "th"
    )
}

/// Returns whether an open element ends when another begins directly within it.
pub(crate) fn closed_by(open: &str, next: &str) -> bool {
    match open {
        "head" => next == "body",
        "p" => ends_a_paragraph(next),
        "li" => next == "li",
        "dt" | "dd" => matches!(next, "dt" | "dd"),
        "rt" | "rp" => matches!(next, "rt" | "rp"),
        "option" => matches!(next, "option" | "optgroup" | "hr"),
        "optgroup" => matches!(next, "optgroup" | "hr"),
        "colgroup" => matches!(next, "thead" | "tbody" | "tfoot" | "tr"),
        "caption" => matches!(next, "colgroup" | "thead" | "tbody" | "tfoot" | "tr"),
        "thead" | "tbody" | "tfoot" => matches!(next, "thead" | "tbody" | "tfoot"),
        "tr" => matches!(next, "tr" | "thead" | "tbody" | "tfoot"),
        "td" | "th" => matches!(next, "td" | "th" | "tr" | "thead" | "tbody" | "tfoot"),
        _ => false,
    }
}

fn ends_a_paragraph(next: &str) -> bool {
    matches!(
        next,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "details"
            | "dialog"
            | "div"
            | "dl"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "table"
            | "ul"
            | "li"
            | "dt"
            | "dd"
            | "summary"
    )
}
