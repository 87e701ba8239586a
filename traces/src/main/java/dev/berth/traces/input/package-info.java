/** Input: files, their lines, rows and fields, and the errors that name them. */
@NullMarked
package dev.berth.traces.input;

import org.jspecify.annotations.NullMarked;
