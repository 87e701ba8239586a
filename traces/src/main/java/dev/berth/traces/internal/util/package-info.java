/** Data structures and decompression that know nothing of formats. */
@NullMarked
package dev.berth.traces.internal.util;

import org.jspecify.annotations.NullMarked;
