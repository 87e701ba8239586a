/** The options that a run depends on: policies, their configurations, and the scenario. */
@NullMarked
package dev.berth.cli.run;

import org.jspecify.annotations.NullMarked;
