/**
 * Contract tests to extend: for a policy, for a whole scheduler, and for a scheduler that claims to
 * decide as the reference model.
 */
@NullMarked
package dev.berth.testkit.contract;

import org.jspecify.annotations.NullMarked;
