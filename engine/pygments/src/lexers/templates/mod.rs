//! Templates that the comparator recognises in some JavaScript files, and markup around PHP.

mod django;
mod erb;
mod genshi;
mod lasso;
mod layers;
mod smarty;

use std::ops::Range;

pub(super) use self::layers::{Layers, Outside};
use super::{markup, php, script};

/// JavaScript in a Genshi text template.
pub(super) fn genshi(text: &str, names: &mut Vec<Range<usize>>) {
    in_javascript(text, genshi::split(text), names);
}

/// JavaScript in a Django or Jinja template.
pub(super) fn django(text: &str, names: &mut Vec<Range<usize>>) {
    in_javascript(text, django::split(text), names);
}

/// JavaScript in an ERB template.
pub(super) fn erb(text: &str, names: &mut Vec<Range<usize>>) {
    in_javascript(text, erb::split(text), names);
}

/// JavaScript in a Lasso template.
pub(super) fn lasso(text: &str, names: &mut Vec<Range<usize>>) {
    in_javascript(text, lasso::split(text), names);
}

/// JavaScript in a Smarty template.
pub(super) fn smarty(text: &str, names: &mut Vec<Range<usize>>) {
    in_javascript(text, smarty::split(text), names);
}

/// JavaScript around PHP.
pub(super) fn javascript_php(text: &str, names: &mut Vec<Range<usize>>) {
    in_javascript(text, php::split(text), names);
}

/// PHP in HTML.
pub(super) fn html_php(text: &str, names: &mut Vec<Range<usize>>) {
    names.extend(php::split(text).merge(text, markup::scan_html));
}

/// PHP in XML.
pub(super) fn xml_php(text: &str, names: &mut Vec<Range<usize>>) {
    names.extend(php::split(text).merge(text, markup::scan_xml));
}

/// Combines the result of a template scanner with the names of the JavaScript around the template's
/// parts.
fn in_javascript(text: &str, layers: Layers, names: &mut Vec<Range<usize>>) {
    names.extend(layers.merge(text, script::scan_javascript));
}
