package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The public surface of each published module equals a checked-in list: every type of an exported
 * package with its public and protected members. Each change of the surface changes a file below
 * {@code src/test/resources/surface}, so reviewers see it.
 *
 * <p>Run with {@code -Dberth.test.jvmArgs=-Dberth.surface.update=true} to rewrite the lists.
 */
class PublicSurfaceTest {

  private static final String COMMAND = "dev.berth.cli";
  private static final Path LISTS = Path.of("src/test/resources/surface");
  private static final String REGENERATE =
      "If the change is intended, run: mvn test -pl cli -am -Dtest=PublicSurfaceTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dberth.test.jvmArgs=-Dberth.surface.update=true";

  /** The published modules with a surface; the command exports nothing. */
  private static final Set<String> MODULES =
      Set.of(
          "dev.berth.api",
          "dev.berth.core",
          "dev.berth.experiments",
          "dev.berth.policies.baselines",
          "dev.berth.policies.elastic",
          "dev.berth.policies.memory",
          "dev.berth.policies.metascheduling",
          "dev.berth.policies.qos",
          "dev.berth.json",
          "dev.berth.replay",
          "dev.berth.report",
          "dev.berth.runtime",
          "dev.berth.runtime.micrometer",
          "dev.berth.simulator",
          "dev.berth.testkit",
          "dev.berth.timeline",
          "dev.berth.traces");

  @Test
  void publishedModulesHaveDescriptors() throws IOException {
    assertThat(descriptors().keySet()).containsAll(MODULES).contains(COMMAND);
  }

  @Test
  void commandExportsNothing() throws IOException {
    assertThat(descriptors().get(COMMAND).exports()).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> surfaceIsAsListed() throws IOException {
    Map<String, ModuleDescriptor> descriptors = descriptors();
    return MODULES.stream()
        .sorted()
        .map(module -> DynamicTest.dynamicTest(module, () -> isAsListed(descriptors.get(module))));
  }

  private static void isAsListed(ModuleDescriptor module) throws IOException {
    List<String> surface = surface(module);
    assertThat(surface).as("public surface of %s", module.name()).isNotEmpty();
    Path list = LISTS.resolve(module.name() + ".txt");
    if (Boolean.getBoolean("berth.surface.update")) {
      Files.createDirectories(LISTS);
      Files.write(list, surface, UTF_8);
    }
    assertThat(surface)
        .as("public surface of %s against %s. %s", module.name(), list, REGENERATE)
        .isEqualTo(Files.readAllLines(list, UTF_8));
  }

  /** Returns the descriptors of our modules, by name. */
  private static Map<String, ModuleDescriptor> descriptors() throws IOException {
    Map<String, ModuleDescriptor> found = new TreeMap<>();
    ClassLoader loader = PublicSurfaceTest.class.getClassLoader();
    for (URL each : Collections.list(loader.getResources("module-info.class"))) {
      try (InputStream in = each.openStream()) {
        ModuleDescriptor descriptor = ModuleDescriptor.read(in);
        found.put(descriptor.name(), descriptor);
      }
    }
    return found;
  }

  private static List<String> surface(ModuleDescriptor module) {
    Set<String> exported =
        module.exports().stream()
            .filter(each -> !each.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    if (exported.isEmpty()) { // a module that only provides policies
      return module.provides().stream()
          .flatMap(
              service ->
                  service.providers().stream()
                      .map(provider -> "provides " + service.service() + " by " + provider))
          .sorted()
          .toList();
    }
    return ArchitectureTest.CLASSES.stream()
        .filter(type -> exported.contains(type.getPackageName()) && isPublic(type))
        .flatMap(PublicSurfaceTest::lines)
        .sorted()
        .toList();
  }

  private static boolean isPublic(JavaClass type) {
    return (type.getModifiers().contains(JavaModifier.PUBLIC)
            || type.getModifiers().contains(JavaModifier.PROTECTED))
        && type.getEnclosingClass().map(PublicSurfaceTest::isPublic).orElse(true);
  }

  private static Stream<String> lines(JavaClass type) {
    String kind =
        type.isAnnotation()
            ? "@interface"
            : type.isInterface()
                ? "interface"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    Stream<String> members =
        Stream.concat(type.getFields().stream(), type.getCodeUnits().stream())
            .filter(PublicSurfaceTest::isVisible)
            .map(member -> type.getName() + "  " + describe(member));
    return Stream.concat(Stream.of(type.getName() + " " + kind), members);
  }

  private static boolean isVisible(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC)
        && !modifiers.contains(JavaModifier.BRIDGE);
  }

  private static String describe(JavaMember member) {
    if (member instanceof JavaField field) {
      return "%s: %s".formatted(field.getName(), field.getRawType().getSimpleName());
    }
    JavaCodeUnit unit = (JavaCodeUnit) member;
    return "%s(%s): %s"
        .formatted(
            unit.getName(),
            unit.getRawParameterTypes().stream()
                .map(JavaClass::getSimpleName)
                .collect(Collectors.joining(", ")),
            unit.getRawReturnType().getSimpleName());
  }
}
