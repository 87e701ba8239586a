/** Figures of runs, declared once: summaries, comparisons, and what tables and CSV derive from. */
@NullMarked
package dev.berth.experiments.figures;

import org.jspecify.annotations.NullMarked;
