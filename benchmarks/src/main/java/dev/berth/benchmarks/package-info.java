/** JMH benchmarks. Run with {@code java -jar benchmarks/target/benchmarks.jar}. */
@NullMarked
package dev.berth.benchmarks;

import org.jspecify.annotations.NullMarked;
