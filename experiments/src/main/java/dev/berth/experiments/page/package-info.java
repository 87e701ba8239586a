/** Documents and files about experiments: pages, summaries, JSON, CSV and warnings. */
@NullMarked
package dev.berth.experiments.page;

import org.jspecify.annotations.NullMarked;
