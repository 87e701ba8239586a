/** The numbered rules of the contract, and the report of a broken rule. */
@NullMarked
package dev.berth.testkit.rule;

import org.jspecify.annotations.NullMarked;
