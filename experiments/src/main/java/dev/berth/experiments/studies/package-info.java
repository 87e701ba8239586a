/** The published studies that Berth reproduces. */
@NullMarked
package dev.berth.experiments.studies;

import org.jspecify.annotations.NullMarked;
