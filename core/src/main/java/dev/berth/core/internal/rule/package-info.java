/**
 * Rules about where instances may be: constraints, counted limits, and rules and preferences about
 * other instances, with what they count. Internal.
 */
@NullMarked
package dev.berth.core.internal.rule;

import org.jspecify.annotations.NullMarked;
