/**
 * One scheduling pass: the guard that checks each action of a policy, and the log that undoes them.
 * Internal.
 */
@NullMarked
package dev.berth.core.internal.pass;

import org.jspecify.annotations.NullMarked;
