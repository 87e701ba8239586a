/** {@code berth reproduce}: published studies, their inputs and their stored results. */
@NullMarked
package dev.berth.cli.reproduce;

import org.jspecify.annotations.NullMarked;
