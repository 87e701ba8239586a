package dev.berth.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs every checked-in input once, without Jazzer. */
@Timeout(600)
class CorpusTest {

  /** One file of every kind of content is read in full, so that fuzzing starts from there. */
  private static final int FEWEST_INPUTS = 3;

  @TestFactory
  Stream<DynamicTest> inputsOfCorpusSucceedOrFailClearly() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Target target : Target.values()) {
      for (Path input : inputs(target)) {
        tests.add(
            dynamicTest(
                target.id() + "/" + input.getFileName(),
                () -> target.run(Files.readAllBytes(input))));
      }
    }
    return tests.stream();
  }

  @ParameterizedTest
  @EnumSource
  void targetHasInputsToStartFrom(Target target) throws IOException {
    assertThat(inputs(target)).hasSizeGreaterThanOrEqualTo(FEWEST_INPUTS);
  }

  @ParameterizedTest
  @EnumSource
  void targetReadsTheEmptyInput(Target target) {
    target.run(new byte[0]);
  }

  private static List<Path> inputs(Target target) throws IOException {
    try (Stream<Path> files = Files.list(target.corpus())) {
      return files.sorted().toList();
    }
  }
}
