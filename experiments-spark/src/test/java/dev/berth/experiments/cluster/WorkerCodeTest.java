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
    List<Path> places = WorkerCode.locations();
    assertThat(places).anyMatch(each -> each.toString().contains("policies-baselines"));
    assertThat(places).anyMatch(each -> each.toString().contains("replay"));
    assertThat(places)
        .extracting(each -> String.valueOf(each.getFileName()))
        .noneMatch(each -> each.matches("(spark|hadoop|scala|berth-experiments-spark)-.*"));
  }
}
