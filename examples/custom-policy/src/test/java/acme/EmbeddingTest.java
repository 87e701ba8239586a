package acme;

import static dev.berth.testkit.assertions.BerthAssertions.assertThat;

import org.junit.jupiter.api.Test;

class EmbeddingTest {

  @Test
  void placesTheRequest() {
    assertThat(Embedding.run()).placesExactly("r1").places("r1").on("h1").preemptingNobody();
  }
}
