/** What a pass decides: actions, and the plan that lists them. */
@NullMarked
package dev.berth.api.plan;

import org.jspecify.annotations.NullMarked;
