package dev.berth.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The architecture rules: which module may depend on which, no package cycles, internal packages,
 * printing, and the sources of time and randomness. They are in this module because it depends on
 * all the others.
 */
class ArchitectureTest {

  private static final String BASE = "dev.berth.";
  private static final String POLICIES = "dev.berth.policies..";
  private static final String CLI = "dev.berth.cli..";

  private static final String JDK = "java..";
  private static final String FLIGHT_RECORDER = "jdk.jfr..";
  private static final String NULLNESS = "org.jspecify..";
  private static final String GUAVA = "com.google.common..";
  private static final String JACKSON = "com.fasterxml.jackson..";

  /**
   * The modules by their package below {@code dev.berth}, each with the modules that it may depend
   * on and a minimum number of classes. With fewer, the importer missed the module and the rules
   * would check nothing.
   */
  private static final Map<String, Module> MODULES =
      Map.ofEntries(
          module("api", 75),
          module("core", 75, "api"),
          module("json", 3, "api", "core"),
          module("runtime", 70, "api", "core", "json", "timeline"), // and runtime.micrometer
          module("replay", 5, "api", "core", "json", "runtime", "simulator", "traces"),
          module("policies.qos", 13, "api"),
          module("policies.memory", 15, "api"),
          module("policies.elastic", 12, "api"),
          module("policies.metascheduling", 12, "api"),
          module("policies.baselines", 5, "api"),
          module("simulator", 50, "api", "core"),
          module("traces", 70, "api", "core", "simulator"),
          module("timeline", 10, "api"),
          module("report", 25, "timeline"),
          module(
              "experiments",
              70,
              "api",
              "core",
              "policies.elastic",
              "simulator",
              "traces",
              "timeline",
              "report"),
          module("test", 2),
          module("testkit", 120, "api", "core", "runtime", "simulator", "traces"),
          module(
              "cli",
              50,
              "api",
              "core",
              "json",
              "runtime",
              "replay",
              "simulator",
              "traces",
              "timeline",
              "report",
              "experiments"));

  private static final String METRICS = inside("runtime.micrometer");

  /** The packages that core exports to all modules. */
  private static final Set<String> CORE_API =
      Set.of(
          "dev.berth.core",
          "dev.berth.core.config",
          "dev.berth.core.decision",
          "dev.berth.core.error",
          "dev.berth.core.explain");

  /** Modules in which the same input and seed must give the same result. */
  private static final List<String> REPEATABLE =
      List.of(
          "api",
          "core",
          "json",
          "policies",
          "simulator",
          "traces",
          "experiments",
          "timeline",
          "report");

  /** All classes that are no tests. Importing them takes seconds, so other tests use these too. */
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.berth");

  /** A module of the map. */
  private record Module(int minClasses, List<String> mayUse) {}

  private static Map.Entry<String, Module> module(String name, int minClasses, String... mayUse) {
    return Map.entry(name, new Module(minClasses, List.of(mayUse)));
  }

  private static String inside(String module) {
    return BASE + module + "..";
  }

  private static JavaClasses classesOf(String module) {
    return CLASSES.that(JavaClass.Predicates.resideInAPackage(inside(module)));
  }

  @Test
  void importerFindsAllModules() {
    MODULES.forEach(
        (name, module) ->
            assertThat(classesOf(name).size())
                .as("classes of %s", name)
                .isGreaterThanOrEqualTo(module.minClasses()));
  }

  @Test
  void everyClassBelongsToModuleOfMap() {
    String[] known = MODULES.keySet().stream().map(ArchitectureTest::inside).toArray(String[]::new);
    classes().should().resideInAnyPackage(known).check(CLASSES);
  }

  @TestFactory
  Stream<DynamicTest> modulesDependOnAllowedModulesOnly() {
    return MODULES.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(each -> dynamicTest(each.getKey(), () -> checkModule(each.getKey(), each.getValue())));
  }

  private static void checkModule(String name, Module module) {
    String[] forbidden =
        MODULES.keySet().stream()
            .filter(other -> !other.equals(name) && !module.mayUse().contains(other))
            .map(ArchitectureTest::inside)
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(inside(name))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbidden)
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.berth.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @TestFactory
  Stream<DynamicTest> internalsAreUsedInTheirModuleOnly() {
    return MODULES.keySet().stream()
        .filter(name -> !classesOf(name + ".internal").isEmpty())
        .sorted()
        .map(
            name ->
                dynamicTest(
                    name,
                    () ->
                        noClasses()
                            .that()
                            .resideOutsideOfPackage(inside(name))
                            .should()
                            .dependOnClassesThat()
                            .resideInAPackage(inside(name + ".internal"))
                            .check(CLASSES)));
  }

  /** The state of the engine is changed by methods that say what happens. */
  @Test
  void onlyRecordsOfTheEngineChangeTheirFields() {
    noFields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(BASE + "core.internal..")
        .and()
        .areNotFinal()
        .should()
        .bePublic()
        .orShould()
        .beProtected()
        .check(CLASSES);
  }

  @Test
  void readersMatchPatternsWhereTheWorkIsCounted() {
    noClasses()
        .that()
        .resideInAPackage(inside("traces"))
        .and()
        .haveNameNotMatching(".*\\.internal\\.util\\.Shape(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Pattern.class, Matcher.class)
        .orShould()
        .callMethodWhere(
            target(owner(equivalentTo(String.class)))
                .and(target(nameMatching("matches|split|replaceAll|replaceFirst"))))
        .because("a pattern that backtracks would hang a reader")
        .check(CLASSES);
  }

  @Test
  void apiDependsOnJdkAlone() {
    classes()
        .that()
        .resideInAPackage(inside("api"))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(inside("api"), JDK, NULLNESS)
        .because("policy authors and embedders compile against it")
        .check(CLASSES);
  }

  @Test
  void coreDependsOnApiGuavaAndJackson() {
    classes()
        .that()
        .resideInAPackage(inside("core"))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            inside("core"), inside("api"), GUAVA, JACKSON, JDK, FLIGHT_RECORDER, NULLNESS)
        .check(CLASSES);
  }

  @Test
  void exportedSignaturesOfCoreHaveNoJackson() {
    Set<String> exposing =
        classesOf("core").stream()
            .filter(each -> CORE_API.contains(each.getPackageName()) && isVisible(each))
            .flatMap(each -> each.getMembers().stream())
            .filter(ArchitectureTest::isVisible)
            .filter(
                each ->
                    each.getAllInvolvedRawTypes().stream()
                        .anyMatch(type -> type.getName().startsWith("com.fasterxml.")))
            .map(JavaMember::getFullName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(exposing).as("members of core with types of Jackson").isEmpty();
  }

  /** Returns whether other modules see a class or member: it is public or protected. */
  private static boolean isVisible(HasModifiers each) {
    return each.getModifiers().contains(JavaModifier.PUBLIC)
        || each.getModifiers().contains(JavaModifier.PROTECTED);
  }

  @Test
  void runtimeDependsOnNoMetrics() {
    noClasses()
        .that()
        .resideInAPackage(inside("runtime"))
        .and()
        .resideOutsideOfPackage(METRICS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(METRICS, "io.micrometer..")
        .because("metrics are a module of their own")
        .check(CLASSES);
    assertThat(CLASSES.that(JavaClass.Predicates.resideInAPackage(METRICS))).isNotEmpty();
  }

  @Test
  void policiesDependOnApiAlone() {
    classes()
        .that()
        .resideInAPackage(POLICIES)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(POLICIES, inside("api"), JDK, NULLNESS)
        .because("third parties can do everything that the built-in policies do")
        .check(CLASSES);
  }

  @Test
  void reportDependsOnTimelinesAndJacksonAlone() {
    classes()
        .that()
        .resideInAPackage(inside("report"))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(inside("report"), inside("timeline"), JACKSON, JDK, NULLNESS)
        .because("it shows what others decided")
        .check(CLASSES);
  }

  @Test
  void onlyCommandPrints() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CLI)
        .should(ACCESS_STANDARD_STREAMS)
        .because("an embedded library has no terminal")
        .check(CLASSES);
  }

  @Test
  void noModuleUsesHiddenClockOrUnseededRandomness() {
    noClasses()
        .that()
        .resideInAnyPackage(
            REPEATABLE.stream().map(ArchitectureTest::inside).toArray(String[]::new))
        .should()
        .accessTargetWhere(hiddenClockOrUnseededRandomness())
        .because("the same input and the same seed give the same plan")
        .check(CLASSES);
  }

  @Test
  void packagesAreNullMarked() {
    Set<String> unmarked =
        CLASSES.stream()
            .map(JavaClass::getPackage)
            .filter(each -> !each.isAnnotatedWith(NullMarked.class))
            .map(JavaPackage::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(unmarked).as("packages without @NullMarked").isEmpty();
  }

  /** Any call of, or method reference to, a hidden clock or an unseeded source of randomness. */
  private static DescribedPredicate<JavaAccess<?>> hiddenClockOrUnseededRandomness() {
    return describe(
        "the target is a hidden clock or an unseeded source of randomness",
        access -> isHiddenClock(access.getTarget()) || isUnseededRandomness(access.getTarget()));
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

  private static boolean isUnseededRandomness(AccessTarget target) {
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
