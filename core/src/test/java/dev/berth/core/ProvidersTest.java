package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** How messages name parts of plugins, even odd ones. */
class ProvidersTest {

  @Test
  void namesTheJarOfAPartOfOthersOnly() {
    assertThat(Providers.jar(new AssertionFailedError())).startsWith(" in ").endsWith(".jar");
    assertThat(Providers.jar("of the platform")).isEmpty();
    assertThat(Providers.jar(this)).isEmpty();
  }

  @Test
  void namesAFailureThatCannotSayWhatItIs() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Providers.call(
                    "part",
                    "id()",
                    () -> {
                      throw new Speechless();
                    }))
        .withMessage("java.lang.String fails in id(): " + Speechless.class.getName());
  }

  private static final class Speechless extends RuntimeException {

    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("given");
    }
  }
}
