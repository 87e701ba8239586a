package dev.berth.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The module map as a test: who may know whom, who may print, and where time and chance may come
 * from. It lives in the command line's module because that one sees all the others.
 */
class ArchitectureTest {
  /** Below this many classes the importer has not seen the code base, and the rules say nothing. */
  private static final int FEWEST_CLASSES = 60;

  private static final String API = "dev.berth.api..";
  private static final String CORE = "dev.berth.core..";
  private static final String POLICIES = "dev.berth.policies..";
  private static final String SIMULATOR = "dev.berth.simulator..";
  private static final String TESTKIT = "dev.berth.testkit..";
  private static final String REPORT = "dev.berth.report..";
  private static final String CLI = "dev.berth.cli..";

  private static final String JDK = "java..";
  private static final String NULLNESS = "org.jspecify..";
  private static final String GUAVA = "com.google.common..";
  private static final String JACKSON = "com.fasterxml.jackson..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.berth");

  @Test
  void looksAtTheWholeCodeBase() {
    assertThat(CLASSES.size()).isGreaterThan(FEWEST_CLASSES);
    for (String module : List.of(API, CORE, POLICIES, SIMULATOR, TESTKIT, REPORT, CLI)) {
      assertThat(CLASSES.that(JavaClass.Predicates.resideInAPackage(module)))
          .as("classes of %s", module)
          .isNotEmpty();
    }
  }

  @Test
  void apiDependsOnTheJdkAlone() {
    classes()
        .that()
        .resideInAPackage(API)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(API, JDK, NULLNESS)
        .because("policy authors and embedders compile against it")
        .check(CLASSES);
  }

  @Test
  void coreDependsOnApiGuavaAndJackson() {
    classes()
        .that()
        .resideInAPackage(CORE)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(CORE, API, GUAVA, JACKSON, JDK, NULLNESS)
        .check(CLASSES);
  }

  @Test
  void coreNamesNoPolicy() {
    noClasses()
        .that()
        .resideInAPackage(CORE)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(POLICIES)
        .because("every policy, ours too, is found as a plugin")
        .check(CLASSES);
  }

  @Test
  void policiesDependOnApiAlone() {
    classes()
        .that()
        .resideInAPackage(POLICIES)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(POLICIES, API, JDK, NULLNESS)
        .because("our policies have no means that a third party's lack")
        .check(CLASSES);
  }

  @Test
  void policyFamiliesDoNotKnowEachOther() {
    slices().matching("dev.berth.policies.(*)..").should().notDependOnEachOther().check(CLASSES);
  }

  @Test
  void simulatorKnowsNoPolicyNorWhoUsesIt() {
    noClasses()
        .that()
        .resideInAPackage(SIMULATOR)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(POLICIES, TESTKIT, CLI)
        .check(CLASSES);
  }

  @Test
  void testkitKnowsNoPolicyNorTheCommandLine() {
    noClasses()
        .that()
        .resideInAPackage(TESTKIT)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(POLICIES, CLI)
        .check(CLASSES);
  }

  @Test
  void reportKnowsNothingOfScheduling() {
    classes()
        .that()
        .resideInAPackage(REPORT)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(REPORT, JACKSON, JDK, NULLNESS)
        .because("it shows whatever it is given")
        .check(CLASSES);
  }

  @Test
  void onlyTheCommandLinePrints() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CLI)
        .should(ACCESS_STANDARD_STREAMS)
        .because("an embedded library has no terminal")
        .check(CLASSES);
  }

  @Test
  void timeComesFromTheCallerAndChanceFromTheSeed() {
    noClasses()
        .that()
        .resideInAnyPackage(API, CORE, POLICIES, SIMULATOR, REPORT)
        .should()
        .accessTargetWhere(hiddenClockOrChance())
        .because("the same input and the same seed give the same plan")
        .check(CLASSES);
  }

  @Test
  void apiPackagesAreNullMarked() {
    Set<String> unmarked =
        CLASSES.that(JavaClass.Predicates.resideInAPackage(API)).stream()
            .map(JavaClass::getPackage)
            .filter(apiPackage -> !apiPackage.isAnnotatedWith(NullMarked.class))
            .map(JavaPackage::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(unmarked).as("packages of the API without @NullMarked").isEmpty();
  }

  /** Any use, as a call or as a method reference, of a clock or of an unseeded source of chance. */
  private static DescribedPredicate<JavaAccess<?>> hiddenClockOrChance() {
    return describe(
        "the target is a hidden clock or an unseeded source of chance",
        access -> isHiddenClock(access.getTarget()) || isUnseededChance(access.getTarget()));
  }

  private static boolean isHiddenClock(AccessTarget target) {
    JavaClass owner = target.getOwner();
    String name = target.getName();
    return (owner.isEquivalentTo(System.class)
            && (name.equals("currentTimeMillis") || name.equals("nanoTime")))
        || (owner.getPackageName().startsWith("java.time") && name.equals("now"))
        || (owner.isEquivalentTo(Clock.class)
            && (name.startsWith("system") || name.startsWith("tick")));
  }

  private static boolean isUnseededChance(AccessTarget target) {
    JavaClass owner = target.getOwner();
    String name = target.getName();
    return (owner.isEquivalentTo(Math.class) && name.equals("random"))
        || (owner.isEquivalentTo(UUID.class) && name.equals("randomUUID"))
        || owner.isEquivalentTo(ThreadLocalRandom.class)
        || ((owner.isEquivalentTo(Random.class) || owner.isEquivalentTo(SplittableRandom.class))
            && name.equals(JavaConstructor.CONSTRUCTOR_NAME)
            && hasParameters(target, 0))
        || (owner.isEquivalentTo(Collections.class)
            && name.equals("shuffle")
            && hasParameters(target, 1));
  }

  private static boolean hasParameters(AccessTarget target, int count) {
    return target instanceof AccessTarget.CodeUnitAccessTarget codeUnit
        && codeUnit.getRawParameterTypes().size() == count;
  }
}
