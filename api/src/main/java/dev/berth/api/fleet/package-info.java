/** What a fleet is found to run, and how a scheduler's view is made to agree with it. */
@NullMarked
package dev.berth.api.fleet;

import org.jspecify.annotations.NullMarked;
