/** The study of metaschedulers. */
@NullMarked
package dev.berth.experiments.studies.metascheduling;

import org.jspecify.annotations.NullMarked;
