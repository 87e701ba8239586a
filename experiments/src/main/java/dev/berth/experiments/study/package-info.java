/** The mechanism of published studies: figures and claims, published and ours. */
@NullMarked
package dev.berth.experiments.study;

import org.jspecify.annotations.NullMarked;
