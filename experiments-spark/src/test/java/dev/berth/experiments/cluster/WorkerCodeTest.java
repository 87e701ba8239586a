package dev.berth.experiments.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** This module has the libraries of the command, and those of Spark beside them. */
class WorkerCodeTest {

  static final List<String> CLASSES = WorkerCode.CLASSES;

  @ParameterizedTest
  @FieldSource("CLASSES")
  void everyLibraryIsThere(String type) throws ClassNotFoundException {
    assertThat(Class.forName(type)).isNotNull();
  }

  @Test
  void codeIsThatOfBerthWithoutSpark() {
    List<String> places = WorkerCode.locations().stream().map(Path::toString).toList();
    assertThat(places).anyMatch(each -> each.contains("policies-baselines"));
    assertThat(places).anyMatch(each -> each.contains("replay"));
    assertThat(places).noneMatch(each -> each.contains("spark") && each.endsWith(".jar"));
    assertThat(places).noneMatch(each -> each.contains("hadoop") || each.contains("scala"));
  }
}
