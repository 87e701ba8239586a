/** The records of a journal: what each of them means, and the format of their bytes. */
@NullMarked
package dev.berth.runtime.entry;

import org.jspecify.annotations.NullMarked;
