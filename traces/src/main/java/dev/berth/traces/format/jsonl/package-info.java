/** Berth's own format with one JSON object a line, which can represent every request. */
@NullMarked
package dev.berth.traces.format.jsonl;

import org.jspecify.annotations.NullMarked;
