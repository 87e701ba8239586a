package dev.berth.report;

import dev.berth.timeline.RunTimeline;
import java.util.List;

/**
 * What ran where and when, in several runs on one time axis: a bar for each stay of an instance on
 * a host, in the colour of its class, and the waiting requests below.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart
 * @param runs not empty, with different names, and with the same classes
 */
public record TimelineChart(String id, String title, String description, List<Run> runs)
    implements Chart {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if there is no run, two have the same name, or they have other
   *     classes than the first
   */
  public TimelineChart {
    Checks.head(id, title, description);
    runs = List.copyOf(runs);
    Checks.notEmpty("runs of " + id, runs);
    Checks.unique("runs of " + id, runs, Run::name);
    for (Run each : runs) {
      if (!each.timeline().classes().equals(runs.get(0).timeline().classes())) {
        throw new IllegalArgumentException(
            "Run '%s' of %s had other classes than '%s', must have the same."
                .formatted(each.name(), id, runs.get(0).name()));
      }
    }
  }

  /**
   * A run.
   *
   * @param name not blank
   * @param timeline what ran where and when
   * @param explain the command that explains an instance at a time, with the places {@code {id}}
   *     and {@code {at}}; empty for none
   */
  public record Run(String name, RunTimeline timeline, String explain) {

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public Run {
      Checks.notBlank("name", name);
    }
  }
}
