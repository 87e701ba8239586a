package dev.berth.testkit.asserting;

import dev.berth.testkit.rule.Rule;
import java.util.function.BooleanSupplier;

/** What a part says about itself, so that the engine need not ask; it must not take it back. */
final class Declaration {

  private final MisuseDetector watch;
  private final String part;
  private final BooleanSupplier question;
  private final boolean made;

  /**
   * Asks for the first time.
   *
   * @param part the method: {@code "AllocationScore.dependsOnResourcesOnly"}
   */
  Declaration(MisuseDetector watch, String part, BooleanSupplier question) {
    this.watch = watch;
    this.part = part;
    this.question = question;
    this.made = question.getAsBoolean();
  }

  /** Asks again; returns whether it is said. */
  boolean isMade() {
    boolean again = question.getAsBoolean();
    if (again != made) {
      throw watch.broken(Rule.P23, "%s was %s and is %s now".formatted(part, made, again));
    }
    return made;
  }
}
