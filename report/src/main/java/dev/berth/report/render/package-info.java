/**
 * Renderers that turn a {@link dev.berth.report.Document} into text, Markdown, JSON or HTML.
 *
 * <p>All renderers are immutable, give the same characters for the same document on every system,
 * and escape whatever their medium would take for markup.
 */
@NullMarked
package dev.berth.report.render;

import org.jspecify.annotations.NullMarked;
