package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.rule.Rule;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract page, the rules and the names of the tests agree. */
class ContractPageTest {

  private static final Path PAGE = Path.of("..", "docs", "contract.md");
  private static final String HEADER = "| rule | title | | promise | statement |";
  private static final Path GUIDE = Path.of("..", "docs", "guide", "testing-a-policy.md");

  /** With {@code -Dberth.test.jvmArgs=-Dberth.contract.update=true} the page is written anew. */
  @Test
  void pageHasTheTableOfTheRules() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(PAGE));
    List<String> rows = Stream.of(Rule.values()).map(ContractPageTest::row).toList();
    if (Boolean.getBoolean("berth.contract.update")) {
      int first = lines.indexOf(HEADER) + 2;
      lines.removeIf(ContractPageTest::isRow);
      lines.addAll(first, rows);
      Files.write(PAGE, lines);
    }
    assertThat(lines).filteredOn(ContractPageTest::isRow).isEqualTo(rows);
  }

  private static boolean isRow(String line) {
    return line.matches("\\| P\\d\\d \\|.*");
  }

  private static String row(Rule rule) {
    boolean judgesSchedulers =
        Stream.of(SchedulerContractTest.class.getDeclaredMethods())
            .anyMatch(each -> each.getName().contains("_" + rule.name() + "_"));
    String promise =
        SchedulerContractTest.promiseOf(rule).map(each -> "`%s`".formatted(each)).orElse("");
    return "| %s | %s | %s | %s | %s |"
        .formatted(
            rule.name(), rule.title(), judgesSchedulers ? "S" : "", promise, rule.statement());
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void everyRuleHasATestWithItsNumber(Rule rule) {
    assertThat(tests())
        .anyMatch(
            name -> name.matches("(required|stochastic|untested)_" + rule.name() + "_[a-z]\\w+"));
  }

  @Test
  void guideAndReadmeCountTheTestsOfAPolicy() throws IOException {
    assertThat(
            tests().stream()
                .filter(each -> each.matches("(required|stochastic|untested)_P.*"))
                .filter(each -> !each.contains("_P29_"))) // of the reference model
        .hasSize(56);
    assertThat(Rule.values()).hasSize(56);
    assertThat(Files.readString(GUIDE)).contains("runs fifty-six tests");
    assertThat(Files.readString(Path.of("..", "README.md"))).contains("against fifty-six");
  }

  private static List<String> tests() {
    return Stream.of(
            SchedulerContractTest.class, PolicyContractTest.class, ReferenceContractTest.class)
        .flatMap(each -> Stream.of(each.getDeclaredMethods()))
        .map(Method::getName)
        .toList();
  }
}
