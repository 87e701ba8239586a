/** Pages with tables and charts: one file each, which opens from disk without a network. */
@NullMarked
package dev.berth.report;

import org.jspecify.annotations.NullMarked;
