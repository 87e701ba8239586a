package dev.berth.traces.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Constraint;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConstraintExpressionsTest {

  @Test
  void readsEveryOperator() {
    assertThat(
            ConstraintExpressions.parse(
                field("zone==a; rank < 5 ;rank>-2;os!=x y;rack in a|b | c;gpu exists;;")))
        .containsExactly(
            new Constraint.Equal("zone", "a"),
            new Constraint.LessThan("rank", 5),
            new Constraint.GreaterThan("rank", -2),
            new Constraint.NotEqual("os", "x y"),
            new Constraint.In("rack", Set.of("a", "b", "c")),
            new Constraint.Exists("gpu"));
  }

  @Test
  void acceptsUnusualAttributeNames() {
    assertThat(ConstraintExpressions.parse(field("o/==0;9e in +|/;in==in;exists exists")))
        .containsExactly(
            new Constraint.Equal("o/", "0"),
            new Constraint.In("9e", Set.of("+", "/")),
            new Constraint.Equal("in", "in"),
            new Constraint.Exists("exists"));
  }

  @ParameterizedTest
  @CsvSource({
    "zone=a, zone==a",
    "rank<=5, rank<6",
    "rank>=5, rank>4",
  })
  void suggestsALikelyMeaning(String text, String meant) {
    assertThatThrownBy(() -> ConstraintExpressions.parse(field("gpu exists;" + text)))
        .hasMessage(
            ("f.csv, line 7: constraints was \"%s\", must have one of the operators ==, !=, <, >, in,"
                    + " exists. Maybe you meant \"%s\".")
                .formatted(text, meant));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zone",
        "zone a",
        "==a",
        "zone==",
        "zone==a==b",
        "zone==a,rank<5",
        "a b==c",
        "rank<x",
        "rank<5.5",
        "rank<+5",
        "rank<\u0665",
        "rank<=\uFF15",
        "rank<99999999999999999999",
        "rank<=x",
        "rank=>5",
        "z in",
        "z in a<b",
        "exists",
        "zone===a",
        "rank<=9223372036854775807"
      })
  void refusesAnythingElse(String text) {
    assertThatThrownBy(() -> ConstraintExpressions.parse(field(text)))
        .isInstanceOfSatisfying(
            InputException.class, error -> assertThat(error.value()).contains(text));
  }

  @Test
  void attributesAreNamesWithValues() {
    assertThat(HostAttributes.parse(field("zone=a; rank = 5 ;empty=;")))
        .isEqualTo(Map.of("zone", "a", "rank", "5", "empty", ""));
    for (String text : new String[] {"zone", "=a", "zone==a", "a=b=c", "zo ne=a"}) {
      assertThatThrownBy(() -> HostAttributes.parse(field(text)))
          .hasMessage(
              "f.csv, line 7: constraints was \"%s\", must be attributes like zone=a;rank=5."
                  .formatted(text));
    }
    assertThatThrownBy(() -> HostAttributes.parse(field("a=1;a=2")))
        .hasMessage("f.csv, line 7: constraints was \"a=2\", must give each name once.");
  }

  private static Field field(String text) {
    return new Field(new SourceLocation("f.csv", 7), "constraints", text);
  }
}
