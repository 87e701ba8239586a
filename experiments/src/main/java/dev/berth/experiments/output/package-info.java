/** Shows experiments and studies: tables, CSV, JSON and pages. */
@NullMarked
package dev.berth.experiments.output;

import org.jspecify.annotations.NullMarked;
