/** Disruption budgets of jobs. Internal. */
@NullMarked
package dev.berth.core.internal.budget;

import org.jspecify.annotations.NullMarked;
