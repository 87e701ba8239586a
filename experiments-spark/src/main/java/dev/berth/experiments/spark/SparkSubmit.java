package dev.berth.experiments.spark;

import dev.berth.cli.Berth;
import java.util.ArrayList;
import java.util.List;

/** {@code berth experiment} for {@code spark-submit}, which chooses the master. */
public final class SparkSubmit {

  private SparkSubmit() {}

  /**
   * Runs the command and ends the process.
   *
   * @param args the file, and options of {@code berth experiment} except {@code --spark}
   */
  public static void main(String[] args) {
    List<String> all = new ArrayList<>(List.of("experiment"));
    all.add("--spark=" + System.getProperty("spark.master", "local[*]"));
    all.addAll(List.of(args));
    Berth.main(all.toArray(String[]::new));
  }
}
