/** The numbered rules of the contract, and how a broken one is reported. */
@NullMarked
package dev.berth.testkit.rule;

import org.jspecify.annotations.NullMarked;
