/** What an experiment is: its JSON, its limits, and how it is made ready to run. */
@NullMarked
package dev.berth.experiments.spec;

import org.jspecify.annotations.NullMarked;
