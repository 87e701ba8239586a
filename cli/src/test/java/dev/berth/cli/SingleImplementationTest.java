package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.workload.Arrival;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Rules that one class implements for all others. Each test names that class, so a second
 * implementation fails the test, and so does a change that leaves the test without a subject.
 */
class SingleImplementationTest {

  private static final JavaClasses CLASSES = ArchitectureTest.CLASSES;

  @Test
  void placementRulesDecideAntiAffinity() {
    assertThat(
            callers(
                calls("dev.berth.core")
                    .filter(
                        each -> isTo(each, "dev.berth.core.internal.rule.JobRecord", "admits"))))
        .containsExactly("dev.berth.core.internal.cluster.PlacementRules");
  }

  @Test
  void placementRulesExplainAntiAffinity() {
    assertThat(
            callers(
                CLASSES.stream()
                    .filter(each -> each.getPackageName().startsWith("dev.berth.core"))
                    .flatMap(each -> each.getConstructorCallsFromSelf().stream())
                    .filter(
                        each ->
                            each.getTargetOwner()
                                .getName()
                                .equals("dev.berth.api.Reason$AntiAffinity"))))
        .containsExactly("dev.berth.core.internal.cluster.PlacementRules");
  }

  @Test
  void oneAccountCountsRestartsAndPreemptionsOfRequests() {
    String report = InstanceReport.class.getName();
    assertThat(
            callers(
                calls("dev.berth.simulator")
                    .filter(
                        each ->
                            isTo(each, report, "restartOverhead")
                                || isTo(each, report, "preemptions"))))
        .containsExactly("dev.berth.simulator.ClassAccount");
  }

  @Test
  void arrivalsCopyThemselves() {
    assertThat(
            CLASSES.stream()
                .flatMap(each -> each.getCodeUnits().stream())
                .filter(SingleImplementationTest::createsAnArrivalFromAnother)
                .map(JavaCodeUnit::getFullName))
        .as("methods that copy an arrival field by field; use Arrival.withRequest")
        .isEmpty();
    assertThat(
            callers(
                calls("dev.berth")
                    .filter(each -> isTo(each, Arrival.class.getName(), "withRequest"))))
        .as("copies that the rule is about")
        .isNotEmpty();
  }

  @Test
  void noModuleReadsAPolicysConfigurationByName() {
    assertThat(
            callers(
                calls("dev.berth").filter(each -> each.getName().equals("getRecordComponents"))))
        .as("classes that read components of records; all do so for any record")
        .containsExactly(
            "dev.berth.api.PlainHash$Shape",
            "dev.berth.core.config.ConfigKey",
            "dev.berth.core.internal.snapshot.Reasons",
            "dev.berth.core.snapshot.FirstFormat",
            "dev.berth.json.RecordCodec",
            "dev.berth.testkit.contract.RecordDifferences",
            "dev.berth.testkit.generators.Shrinker");
  }

  private static boolean createsAnArrivalFromAnother(JavaCodeUnit unit) {
    return unit.getConstructorCallsFromSelf().stream()
            .anyMatch(each -> each.getTargetOwner().isEquivalentTo(Arrival.class))
        && unit.getMethodCallsFromSelf().stream()
            .anyMatch(each -> isTo(each, Arrival.class.getName(), "serviceTime"));
  }

  private static Stream<JavaMethodCall> calls(String module) {
    return CLASSES.stream()
        .filter(each -> (each.getPackageName() + ".").startsWith(module + "."))
        .flatMap(each -> each.getMethodCallsFromSelf().stream());
  }

  private static boolean isTo(JavaMethodCall call, String owner, String method) {
    return call.getTargetOwner().getName().equals(owner) && call.getName().equals(method);
  }

  /** Returns the names of the classes that contain some calls. */
  private static Set<String> callers(Stream<? extends JavaAccess<?>> calls) {
    return calls
        .map(JavaAccess::getOriginOwner)
        .map(JavaClass::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
