package dev.berth.traces.format.csv;

import dev.berth.api.LimitUse;
import dev.berth.api.PlacementRule;
import dev.berth.api.Preference;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.PlacementExpressions;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Cells with taints, tolerations, rules, preferences and limits. Refuses what would not read back.
 */
final class CsvPlacement {

  private CsvPlacement() {}

  static String taints(FieldWriter fields, List<Taint> taints) {
    return cell(
        fields,
        "taints",
        taints,
        each -> PlacementExpressions.text(each, fields),
        PlacementExpressions::taints);
  }

  static String tolerations(FieldWriter fields, List<Toleration> tolerations) {
    return cell(
        fields,
        "tolerations",
        tolerations,
        each -> PlacementExpressions.text(each, fields),
        PlacementExpressions::tolerations);
  }

  static String rules(FieldWriter fields, List<PlacementRule> rules) {
    return cell(fields, "rules", rules, PlacementExpressions::text, PlacementExpressions::rules);
  }

  static String preferences(FieldWriter fields, List<Preference> preferences) {
    return cell(
        fields,
        "preferences",
        preferences,
        each -> PlacementExpressions.text(each, constraint(fields, each)),
        PlacementExpressions::preferences);
  }

  static String limits(FieldWriter fields, List<LimitUse> limits) {
    return cell(fields, "limits", limits, PlacementExpressions::text, PlacementExpressions::limits);
  }

  static String limit(FieldWriter fields, HostEvent.LimitSet limit) {
    return cell(
        fields,
        "limit",
        List.of(limit),
        PlacementExpressions::text,
        field -> List.of(PlacementExpressions.limit(limit.at(), field)));
  }

  private static String constraint(FieldWriter fields, Preference preference) {
    return preference instanceof Preference.OnHost onHost
        ? CsvCells.constraints(fields, List.of(onHost.constraint()))
        : "";
  }

  private static <T> String cell(
      FieldWriter fields,
      String what,
      List<T> values,
      Function<T, String> text,
      Function<Field, List<T>> parse) {
    String all = values.stream().map(text).collect(Collectors.joining(";"));
    if (!values.equals(readBack(all, what, parse))) {
      throw fields.refused(what + " have characters that csv cannot represent there; jsonl can");
    }
    return CsvCells.cell(fields, what, all);
  }

  private static <T> List<T> readBack(String text, String what, Function<Field, List<T>> parse) {
    try {
      return parse.apply(new Field(new SourceLocation(what, 1), what, text));
    } catch (InputException | IllegalArgumentException unreadable) {
      return List.of();
    }
  }
}
