"""Phase 9: the report as PDF.

Reads `output/billing_audit_report.html`. Writes `output/billing_audit_report.pdf`: the text of the page on A4 across,
tables as tables, nothing left out, and only page numbers and repeated heads added. It is written by hand: text in the
two Helvetica fonts that every reader has, no compression, no date, so the same page gives the same bytes everywhere.
"""

from html.parser import HTMLParser

WIDTH, HEIGHT, MARGIN = 842, 595, 40
BODY, SMALL, LEADING = 9, 7.5, 1.35
PADDING = 4
INK, SOFT, ACCENT, RULE = "0.11 0.14 0.19", "0.36 0.40 0.46", "0.12 0.37 0.66", "0.80 0.83 0.87"
HEADINGS = {"h1": 20, "h2": 14, "h3": 10.5}


def main():
    with open("output/billing_audit_report.html", encoding="utf-8") as file:
        reader = PageReader()
        reader.feed(file.read())
    layout = Layout()
    for kind, content in reader.blocks:
        layout.add(kind, content)
    with open("output/billing_audit_report.pdf", "wb") as file:
        file.write(pdf(reader.title, layout.finish()))


# --- the page: which text stands where -------------------------------------------------------------------------------


class Cell:
    """A cell of a table: its text, whether it is a title, whether it is set to the right, whether it begins in bold."""

    def __init__(self, tag, attrs):
        self.text, self.title, self.right, self.bold_start = "", tag == "th", ("class", "num") in attrs, False

    def lines(self, width):
        """Lines that fit, each with its font."""
        fonts = ["F2" if self.title or (self.bold_start and n == 0) else "F1" for n in range(self.text.count("\n") + 1)]
        room = width - 2 * PADDING
        parts = zip(self.text.split("\n"), fonts, strict=True)
        return [(line, font) for part, font in parts for line in wrap(part, font, SMALL, room)]


class PageReader(HTMLParser):
    """Takes headings, paragraphs, list items, cards and tables out of the page, in their order."""

    TEXTS = {"h1", "h2", "h3", "p", "li"}

    def __init__(self):
        super().__init__()
        self.blocks, self.title = [], ""
        self.inside, self.text, self.cell, self.rows, self.card = None, None, None, None, None

    def handle_starttag(self, tag, attrs):
        if tag in ("style", "title"):
            self.inside = tag
        elif tag == "table":
            self.rows = []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = Cell(tag, attrs)
        elif tag == "article":
            self.card = []
        elif tag in self.TEXTS:
            self.text = ""
        elif tag == "br":
            self.cell.text += "\n"
        elif tag == "b" and self.cell and not self.cell.text:
            self.cell.bold_start = True

    def handle_data(self, data):
        if self.inside == "title":
            self.title += data
        elif self.inside == "style":
            return
        elif self.cell:
            self.cell.text += data.replace("\n", " ")
        elif self.text is not None:
            self.text += data

    def handle_endtag(self, tag):
        if tag == self.inside:
            self.inside = None
        elif tag in ("td", "th"):
            self.rows[-1].append(self.cell)
            self.cell = None
        elif tag == "table":
            self.blocks.append(("table", self.rows))
        elif tag in self.TEXTS:
            text = " ".join(self.text.split())
            self.text = None
            if self.card is None:
                self.blocks.append((tag, text))
            else:
                self.card.append(text)
        elif tag == "article":
            self.end_card()

    def end_card(self):
        """Cards that follow each other stand side by side."""
        if self.blocks and self.blocks[-1][0] == "cards":
            self.blocks[-1][1].append(self.card)
        else:
            self.blocks.append(("cards", [self.card]))
        self.card = None


# --- the measures of the fonts ---------------------------------------------------------------------------------------

# Widths of the characters from space to tilde, in thousandths of the size, as the fonts' makers publish them.
REGULAR = """278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278
278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667
667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500
722 500 500 500 334 260 334 584"""
BOLD = """278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333
333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667
667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556
778 556 556 500 389 280 389 584"""
WIDTHS = {"F1": [int(width) for width in REGULAR.split()], "F2": [int(width) for width in BOLD.split()]}
OTHER = 611  # Accented letters and dashes: none of those that are used is wider.


def measure(text, font, size):
    widths = WIDTHS[font]
    total = sum(widths[ord(char) - 32] if 32 <= ord(char) < 127 else OTHER for char in text)
    return total * size / 1000


def wrap(text, font, size, room):
    """Lines that fit. A word that is too long for a line is broken, at a mark if there is one."""
    lines, line = [], ""
    for word in text.split():
        for piece in pieces(word, font, size, room):
            joined = f"{line} {piece}" if line else piece
            if line and measure(joined, font, size) > room:
                lines.append(line)
                joined = piece
            line = joined
    return [*lines, line]


def pieces(word, font, size, room):
    while measure(word, font, size) > room and len(word) > 1:
        fitting = max(n for n in range(1, len(word)) if n == 1 or measure(word[:n], font, size) <= room)
        marks = [n for n in range(1, fitting + 1) if word[n - 1] in "_-#:./,"]
        cut = marks[-1] if marks else fitting
        yield word[:cut]
        word = word[cut:]
    yield word


# --- from text to pages ----------------------------------------------------------------------------------------------


class Layout:
    """Sets blocks one below the other, and begins a new page where one is full."""

    def __init__(self):
        self.pages = []
        self.new_page()

    def new_page(self):
        self.page, self.y = [], HEIGHT - MARGIN
        self.pages.append(self.page)

    def room(self, needed):
        """Whether there was room; a new page is begun if not."""
        if self.y - needed >= MARGIN:
            return True
        self.new_page()
        return False

    def write(self, x, y, text, font, size, colour):
        if text:
            self.page.append(f"BT {colour} rg /{font} {size} Tf {x:.2f} {y:.2f} Td ({literal(text)}) Tj ET")

    def rule(self, y, colour=RULE, weight=0.5):
        self.page.append(f"{colour} RG {weight} w {MARGIN} {y:.2f} m {WIDTH - MARGIN} {y:.2f} l S")

    def add(self, kind, content):
        if kind == "table":
            self.table(content)
        elif kind == "cards":
            self.cards(content)
        elif kind in HEADINGS:
            self.heading(HEADINGS[kind], content)
        else:
            self.paragraph("•  " + content if kind == "li" else content)

    def heading(self, size, text):
        # A heading does not stand alone at the foot of a page.
        if self.y < HEIGHT - MARGIN and self.room(size * 2 + 60):
            self.y -= size
        self.y -= size
        self.write(MARGIN, self.y, text, "F2", size, INK if size > 11 else ACCENT)
        self.y -= size * 0.6

    def paragraph(self, text):
        for line in wrap(text, "F1", BODY, WIDTH - 2 * MARGIN):
            self.room(BODY * LEADING)
            self.y -= BODY * LEADING
            self.write(MARGIN, self.y, line, "F1", BODY, INK)
        self.y -= 3

    def cards(self, cards):
        """Name small, figure large, then the rest, one card beside the other."""
        sizes = [SMALL, 16] + [BODY] * max(len(card) - 2 for card in cards)
        self.room(sum(sizes) * LEADING)
        for size, lines in zip(sizes, zip(*cards, strict=True), strict=True):
            self.y -= size * LEADING
            for place, line in enumerate(lines):
                x = MARGIN + place * (WIDTH - 2 * MARGIN) / len(cards)
                self.write(x, self.y, line, "F2" if size > BODY else "F1", size, INK if size > BODY else SOFT)
        self.y -= 6

    def table(self, rows):
        widths = column_widths(rows)
        for row in rows:
            height = row_height(row, widths)
            if not self.room(height) and row is not rows[0]:
                self.row(rows[0], widths)
            self.row(row, widths)
        self.y -= 6

    def row(self, row, widths):
        x = MARGIN
        for cell, width in zip(row, widths, strict=True):
            for place, (line, font) in enumerate(cell.lines(width), start=1):
                start = x + width - PADDING - measure(line, font, SMALL) if cell.right else x + PADDING
                self.write(start, self.y - place * SMALL * LEADING, line, font, SMALL, SOFT if cell.title else INK)
            x += width
        self.y -= row_height(row, widths)
        self.rule(self.y)

    def finish(self):
        for number, page in enumerate(self.pages, start=1):
            self.page = page
            text = f"{number} of {len(self.pages)}"
            self.write(WIDTH - MARGIN - measure(text, "F1", SMALL), MARGIN / 2, text, "F1", SMALL, SOFT)
        return self.pages


def row_height(row, widths):
    most = max(len(cell.lines(width)) for cell, width in zip(row, widths, strict=True))
    return most * SMALL * LEADING + PADDING


def column_widths(rows):
    """Columns get what their text needs; where that is too much, wide ones give way, and words stay whole if they can.
    What is left over is shared, so that all tables are as wide as the page.
    """
    room = WIDTH - 2 * MARGIN
    columns = list(zip(*rows, strict=True))
    wish = [widest(line for cell in column for line in cell.text.split("\n")) for column in columns]
    word = [widest(word for cell in column for word in cell.text.split()) for column in columns]
    least = [min(one, room / 4) for one in word]
    want = [more - low for more, low in zip(wish, least, strict=True)]
    share = min((room - sum(least)) / sum(want), 1) if sum(want) else 0
    widths = [low + more * share for low, more in zip(least, want, strict=True)]
    return [width + (room - sum(widths)) / len(widths) for width in widths]


def widest(texts):
    """As bold, which is the wider font."""
    return max((measure(text, "F2", SMALL) for text in texts), default=0) + 2 * PADDING + 1


# --- from pages to bytes ---------------------------------------------------------------------------------------------


def literal(text):
    """Text as a PDF string. A character that the fonts do not have is an error: nothing is left out silently."""
    encoded = text.replace("−", "–").encode("cp1252")
    return "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in "()\\" else f"\\{byte:03o}" for byte in encoded
    )


def pdf(title, pages):
    """The file: a catalogue, the list of pages, two fonts, then each page with its content, and where each begins."""
    first = 5
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        font("Helvetica"),
        font("Helvetica-Bold"),
    ]
    for number, page in enumerate(pages):
        objects += page_objects(page, first + 2 * number + 1)
    objects.append(f"<< /Title ({literal(title)}) >>")
    return assemble(objects)


def font(name):
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"


def page_objects(page, content_number):
    content = "\n".join(page)
    return [
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {content_number} 0 R "
        "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
    ]


def assemble(objects):
    """Everything is ASCII by now, so positions in the text are positions in the file."""
    text, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(text))
        text += f"{number} 0 obj\n{content}\nendobj\n"
    start = len(text)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    text += f"xref\n0 {size}\n0000000000 65535 f \n{table}"
    text += f"trailer\n<< /Size {size} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return text.encode("ascii")


if __name__ == "__main__":
    main()
