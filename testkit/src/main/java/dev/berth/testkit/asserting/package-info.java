/**
 * Misuse detectors to put around a policy: {@link dev.berth.testkit.asserting.Asserting} hands it
 * views, and the engine parts, that notice when a rule of the contract is broken, and otherwise
 * change nothing.
 */
@NullMarked
package dev.berth.testkit.asserting;

import org.jspecify.annotations.NullMarked;
