//! A drawing with one labelled row per corpus and an axis below them, in pixels.

use plotters::{
    coord::Shift,
    element::{Drawable, PointCollection},
    prelude::{Circle, DrawingArea, IntoDrawingArea, PathElement, Rectangle, SVGBackend, Text},
    style::{
        Color, IntoFont, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::{axis::Axis, theme::Role};
use crate::report::escape::visible;

/// The width of the page's text column, so that text in the drawing has the size of the page's text.
const WIDTH: u32 = 952;
const ROW: i32 = 26;
const TOP: i32 = 22;
const BOTTOM: i32 = 48;
/// Where the marks of a row begin; its label is to the left.
const LEFT: i32 = 210;
/// Where they end; the note of a row is to the right.
const RIGHT: i32 = 826;
/// The most characters of a label that fit to the left of the marks.
const LABEL: usize = 27;

/// A text size in pixels, in the unit of the drawing library, which divides by 1.24.
const TEXT: f64 = 12.5 * 1.24;

/// The result of drawing. The error is the drawing library's message.
pub type Drawn = Result<(), String>;

/// A drawing that is being made.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    axis: Axis,
    rows: i32,
}

/// Draws a canvas with this many rows and returns the finished SVG element.
pub fn draw(
    rows: usize,
    axis: Axis,
    axis_label: &str,
    marks: impl FnOnce(&Canvas<'_>) -> Drawn,
) -> Result<String, String> {
    let mut svg = String::new();
    let rows = i32::try_from(rows).map_err(|_| format!("{rows} rows do not fit on a sheet"))?;
    let height = TOP + rows.saturating_mul(ROW) + BOTTOM;
    let area = SVGBackend::with_string(&mut svg, (WIDTH, height as u32)).into_drawing_area();
    let canvas = Canvas { area, axis, rows };
    canvas.grid()?;
    canvas.name_axis(axis_label)?;
    marks(&canvas)?;
    canvas.area.present().map_err(|error| error.to_string())?;
    drop(canvas);
    Ok(svg)
}

impl<'a> Canvas<'a> {
    /// The axis with its ticks, under everything else.
    fn grid(&self) -> Drawn {
        for tick in &self.axis.ticks {
            let x = self.x(*tick);
            self.line((x, TOP), (x, self.floor()), Role::Rule)?;
            let label = self.axis.label(*tick);
            self.text(&label, (x, self.floor() + 15), HPos::Center, Role::Muted)?;
        }
        Ok(())
    }

    /// The name of what the axis measures, below its ticks.
    fn name_axis(&self, label: &str) -> Drawn {
        let middle = i32::midpoint(LEFT, RIGHT);
        self.text(&visible(label), (middle, self.floor() + 34), HPos::Center, Role::Muted)
    }

    /// A shaded range of values over all rows.
    pub fn band(&self, low: f64, high: f64) -> Drawn {
        let corners = [(self.x(low), TOP), (self.x(high), self.floor())];
        self.put(&Rectangle::new(corners, Role::Band.colour().filled()))
    }

    /// A bound across all rows, with its label above.
    pub fn bound(&self, value: f64, label: &str) -> Drawn {
        let x = self.x(value);
        for dash in (TOP..self.floor()).step_by(6) {
            self.line((x, dash), (x, (dash + 3).min(self.floor())), Role::Fail)?;
        }
        self.text(label, (x, TOP - 10), HPos::Center, Role::Fail)
    }

    /// The name of a row, to its left.
    pub fn label(&self, row: usize, name: &str) -> Drawn {
        let name = visible(name);
        let mut short: String = name.chars().take(LABEL).collect();
        if short.len() < name.len() {
            short.pop();
            short.push('…');
        }
        self.text(&short, (LEFT - 14, Self::middle(row)), HPos::Right, Role::Ink)
    }

    /// A remark on a row, to its right.
    pub fn note(&self, row: usize, text: &str, role: Role) -> Drawn {
        self.text(text, (RIGHT + 14, Self::middle(row)), HPos::Left, role)
    }

    /// A dot at a value.
    pub fn dot(&self, row: usize, value: f64, radius: u32, role: Role) -> Drawn {
        let centre = (self.x(value), Self::middle(row));
        self.put(&Circle::new(centre, radius, role.colour().mix(0.85).filled()))
    }

    /// A bar from one value to another.
    pub fn bar(&self, row: usize, from: f64, to: f64, role: Role) -> Drawn {
        let corners = [(self.x(from), Self::middle(row) - 5), (self.x(to), Self::middle(row) + 5)];
        self.put(&Rectangle::new(corners, role.colour().filled()))
    }

    /// The pixel column of a value.
    pub fn x(&self, value: f64) -> i32 {
        self.axis.pixel(value, LEFT, RIGHT)
    }

    fn middle(row: usize) -> i32 {
        TOP + row as i32 * ROW + ROW / 2
    }

    fn floor(&self) -> i32 {
        TOP + self.rows * ROW
    }

    fn line(&self, from: (i32, i32), to: (i32, i32), role: Role) -> Drawn {
        self.put(&PathElement::new(vec![from, to], role.colour().stroke_width(1)))
    }

    fn text(&self, text: &str, at: (i32, i32), anchor: HPos, role: Role) -> Drawn {
        let colour = role.colour();
        let style = TextStyle::from(("sans-serif", TEXT).into_font())
            .color(&colour)
            .pos(Pos::new(anchor, VPos::Center));
        self.put(&Text::new(text.to_owned(), at, style))
    }

    fn put<'e, E, B>(&self, element: &'e E) -> Drawn
    where
        B: plotters::element::CoordMapper,
        &'e E: PointCollection<'e, (i32, i32), B>,
        E: Drawable<SVGBackend<'a>, B>,
    {
        self.area.draw(element).map_err(|error| error.to_string())
    }
}
