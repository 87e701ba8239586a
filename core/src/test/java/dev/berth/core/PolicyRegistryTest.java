package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import dev.berth.core.error.UnknownPolicyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyRegistryTest {

  private static final String SERVICES = "META-INF/services/" + PolicyProvider.class.getName();

  @TempDir private Path here;

  // ---- Registered directly

  @Test
  void findsFactoriesByIdAndListsThemInOrder() {
    PolicyFactory<?> zinc = new Ours("zinc");
    PolicyFactory<?> lead = new Ours("lead");
    PolicyRegistry registry = PolicyRegistry.of(zinc, lead);

    assertThat(registry.get("zinc")).isSameAs(zinc);
    assertThat(registry.ids()).containsExactly("lead", "zinc");
  }

  @Test
  void unknownIdListsKnownIds() {
    assertThatExceptionOfType(UnknownPolicyException.class)
        .isThrownBy(() -> PolicyRegistry.of(new Ours("zinc"), new Ours("lead")).get("zink"))
        .withMessage("no policy zink. Maybe you meant zinc. Known: lead, zinc.");
  }

  @Test
  void emptyRegistrySuggestsAMissingJar() {
    assertThatExceptionOfType(UnknownPolicyException.class)
        .isThrownBy(() -> PolicyRegistry.of().get("zinc"))
        .withMessage(
            "no policy zinc: no policies were found. Maybe add an artifact with policies, such as"
                + " berth-policies-qos.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "best-fit", "acme.best-fit", "x2", "a.b.c-d", "v1.2"})
  void acceptsLowerCaseIds(String id) {
    assertThat(PolicyRegistry.of(new Ours(id)).ids()).containsExactly(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "Best",
        "best_fit",
        "best fit",
        "best--fit",
        "best-",
        "-best",
        "best.",
        ".best",
        "2fast",
        "b\u0131g",
        "best-fit\n"
      })
  void refusesInvalidIdsAndNamesTheFactory(String id) {
    assertThatIllegalStateException()
        .isThrownBy(() -> PolicyRegistry.of(new Ours(id)))
        .withMessageContaining(Ours.class.getName())
        .withMessageContaining("has the id \"" + id + "\"");
  }

  @Test
  void refusesIdsOver64Characters() {
    assertThat(PolicyRegistry.of(new Ours("a".repeat(64))).ids()).hasSize(1);
    assertThatIllegalStateException().isThrownBy(() -> PolicyRegistry.of(new Ours("a".repeat(65))));
  }

  @Test
  void refusesDuplicateIds() {
    assertThatIllegalStateException()
        .isThrownBy(() -> PolicyRegistry.of(new Ours("zinc"), new Ours("zinc")))
        .withMessageStartingWith("two policies have the id zinc: ");
  }

  // ---- From jars

  @Test
  void findsPoliciesOfTheClassLoader() throws IOException {
    Path jar = jar("one", "acme.BestFit", "acme.best-fit");

    try (URLClassLoader loader = loader(jar)) {
      assertThat(PolicyRegistry.load(loader).ids()).containsExactly("acme.best-fit");
    }
  }

  @Test
  void usesTheContextClassLoaderByDefault() throws IOException {
    Path jar = jar("one", "acme.BestFit", "acme.best-fit");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();

    try (URLClassLoader loader = loader(jar)) {
      thread.setContextClassLoader(loader);
      assertThat(PolicyRegistry.load().ids()).containsExactly("acme.best-fit");
      thread.setContextClassLoader(null);
      assertThat(PolicyRegistry.load().ids())
          .isEqualTo(PolicyRegistry.load(PolicyRegistry.class.getClassLoader()).ids());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void runsAPolicyFromAJar() throws IOException {
    Path jar = jar("one", "acme.BestFit", "acme.best-fit");

    try (URLClassLoader loader = loader(jar)) {
      Scheduler scheduler =
          Scheduler.builder()
              .registry(PolicyRegistry.load(loader))
              .policy("acme.best-fit", "{}")
              .serviceClasses(Cluster.GOLD)
              .build();

      assertThat(scheduler.policyId()).isEqualTo("acme.best-fit");
      assertThat(scheduler.schedule(0).isEmpty()).isTrue();
    }
  }

  @Test
  void namesBothJarsOfADuplicateId() throws IOException {
    Path one = jar("one", "acme.BestFit", "acme.best-fit");
    Path two = jar("two", "acme.other.BestFit", "acme.best-fit");

    try (URLClassLoader loader = loader(one, two)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> PolicyRegistry.load(loader))
          .withMessageStartingWith("two policies have the id acme.best-fit: ")
          .withMessageContaining("acme.BestFit in " + one)
          .withMessageContaining("acme.other.BestFit in " + two);
    }
  }

  @Test
  void requiresADotInIdsOfOtherAuthors() throws IOException {
    Path jar = jar("one", "acme.BestFit", "best-fit");

    try (URLClassLoader loader = loader(jar)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> PolicyRegistry.load(loader))
          .withMessage(
              "acme.BestFit in %s has the id \"best-fit\", ids without a dot belong to Berth."
                  + " Maybe \"acme.best-fit\".",
              jar);
    }
  }

  @Test
  void namesNoPlaceIfThatOfAFactoryIsUnknown() throws ReflectiveOperationException, IOException {
    Path jar = jar("one", "acme.BestFit", "best-fit");
    Constructor<?> maker =
        new LoaderWithoutPlaces(jar).loadClass("acme.BestFit").getDeclaredConstructor();
    maker.setAccessible(true);
    PolicyFactory<?> factory = (PolicyFactory<?>) maker.newInstance();

    assertThatIllegalStateException()
        .isThrownBy(() -> PolicyRegistry.of(factory))
        .withMessageStartingWith("acme.BestFit has the id \"best-fit\", ");
  }

  @Test
  void reportsServicesFileNamingAMissingClass() throws IOException {
    Path jar = here.resolve("broken-jar");
    services(jar, "acme.Gone");

    assertBroken(jar, "acme.Gone");
  }

  @Test
  void reportsMalformedServicesFile() throws IOException {
    Path jar = here.resolve("broken-jar");
    services(jar, "not a class name");

    assertBroken(jar, "META-INF/services");
  }

  @Test
  void reportsServiceThatIsNoProvider() throws IOException {
    Path jar = here.resolve("broken-jar");
    compile(jar, "acme.NoProvider", "package acme; public final class NoProvider {}");
    services(jar, "acme.NoProvider");

    assertBroken(jar, "acme.NoProvider");
  }

  @Test
  void reportsProviderThatCannotBeCreated() throws IOException {
    Path jar = here.resolve("broken-jar");
    compile(
        jar,
        "acme.Broken",
        source("acme.Broken", "acme.broken").replace("/* body */", "int i = 1 / 0;"));
    services(jar, "acme.Broken$Provider");

    assertBroken(jar, "acme.Broken$Provider");
    assertBroken(jar, "/ by zero");
  }

  @Test
  void reportsAClassLoaderThatCannotRead() {
    ClassLoader broken =
        new ClassLoader(null) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            throw new IOException("no disk");
          }
        };

    assertThatIllegalStateException()
        .isThrownBy(() -> PolicyRegistry.load(broken))
        .withMessageEndingWith("Providers are listed in a jar that cannot be read: no disk.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          throw new IllegalStateException("no licence"); | no licence
          return null;                                   | NullPointerException
          return java.util.Arrays.asList(null, null);    | NullPointerException
          """)
  void reportsFailingProviderWithItsJar(String body, String problem) throws IOException {
    Path jar = here.resolve("broken-jar");
    compile(
        jar,
        "acme.Broken",
        source("acme.Broken", "acme.broken").replace("return List.of(new Broken());", body));
    services(jar, "acme.Broken$Provider");

    try (URLClassLoader loader = loader(jar)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> PolicyRegistry.load(loader))
          .withMessageStartingWith("acme.Broken$Provider in " + jar + " fails in factories(): ")
          .withMessageContaining(problem);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          throw new IllegalStateException("no"); | fails in id(): java.lang.IllegalStateException: no
          return id();                           | fails in id(): java.lang.StackOverflowError
          throw new AssertionError("no");        | fails in id(): java.lang.AssertionError: no
          return null;                           | returns null from id(), must return a value.
          """)
  void reportsAFailingIdWithItsJar(String body, String problem) throws IOException {
    Path jar = here.resolve("broken-jar");
    compile(
        jar,
        "acme.Broken",
        source("acme.Broken", "acme.broken").replace("return \"acme.broken\";", body));
    services(jar, "acme.Broken$Provider");

    assertRefused("acme.Broken in " + jar + " " + problem, jar);
  }

  @Test
  void reportsAProviderWhoseClassIsInTwoJars() throws IOException {
    Path one = jar("one", "acme.BestFit", "acme.best-fit");
    Path two = jar("two", "acme.BestFit", "acme.worst-fit");

    assertRefused(
        "the class acme.BestFit$Provider is in several places: %s,"
                .formatted(one.resolve("acme/BestFit$Provider.class"))
            + " %s. Maybe remove all but one jar."
                .formatted(two.resolve("acme/BestFit$Provider.class")),
        one,
        two);
  }

  @Test
  void reportsAPolicyWhoseClassIsInTwoJars() throws IOException {
    Path one = jar("one", "acme.BestFit", "acme.best-fit");
    Path two = jar("two", "acme.BestFit", "acme.worst-fit");
    Files.delete(two.resolve("acme/BestFit$Provider.class"));

    assertRefused("the class acme.BestFit is in several places: ", one, two);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"dev.berth.evil.BestFit", "dev.berth.policies.qos.BestFit", "dev.berth.BestFit"})
  void refusesOthersInPackagesOfBerth(String type) throws IOException {
    Path jar = jar("one", type, "best-fit");

    assertRefused(
        "%s$Provider in %s is in a package of Berth, but no part of it. Maybe name the package"
                .formatted(type, jar)
            + " com.acme.",
        jar);
  }

  private static void assertRefused(String message, Path... jars) throws IOException {
    try (URLClassLoader loader = loader(jars)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> PolicyRegistry.load(loader))
          .withMessageStartingWith(message);
    }
  }

  @Test
  void findsAllPoliciesOfAProvider() throws IOException {
    Path jar = here.resolve("one");
    String two =
        source("acme.BestFit", "acme.best-fit")
            .replace(
                "List.of(new BestFit())",
                "List.of(new BestFit(), new BestFit() { public String id() { return \"acme.b\"; } })")
            .replace("final class BestFit", "class BestFit");
    compile(jar, "acme.BestFit", two);
    services(jar, "acme.BestFit$Provider");

    try (URLClassLoader loader = loader(jar)) {
      assertThat(PolicyRegistry.load(loader).ids()).containsExactly("acme.b", "acme.best-fit");
    }
  }

  private void assertBroken(Path jar, String what) throws IOException {
    try (URLClassLoader loader = loader(jar)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> PolicyRegistry.load(loader))
          .withMessageStartingWith("a policy provider cannot be created: ")
          .withMessageContaining(what)
          .withMessageContaining(". Providers are listed in ")
          .withMessageEndingWith(jar.resolve(SERVICES) + ".")
          .withMessageNotContaining("null");
    }
  }

  // ---- Making jars

  /** Creates a directory that provides one policy, like a jar. */
  private Path jar(String name, String factory, String id) throws IOException {
    Path jar = here.resolve(name);
    compile(jar, factory, source(factory, id));
    services(jar, factory + "$Provider");
    return jar;
  }

  /** Returns the source of a factory with a nested {@code Provider}. */
  private static String source(String factory, String id) {
    int dot = factory.lastIndexOf('.');
    return """
        package %s;
        import dev.berth.api.policy.*;
        import java.util.List;
        final class %s implements PolicyFactory<%2$s.Config> {
          record Config() {}
          public String id() { return "%s"; }
          public String summary() { return "does nothing"; }
          public Config defaults() { return new Config(); }
          public Policy create(Config config, PolicyContext context) { return pass -> {}; }
          public static final class Provider implements PolicyProvider {
            public Provider() { /* body */ }
            public List<PolicyFactory<?>> factories() { return List.of(new %2$s()); }
          }
        }
        """
        .formatted(factory.substring(0, dot), factory.substring(dot + 1), id);
  }

  private void compile(Path jar, String type, String source) throws IOException {
    String file = type.replace('.', '/') + ".java";
    Path java =
        Files.createDirectories(here.resolve("src").resolve(file).getParent())
            .resolve(Path.of(file).getFileName());
    Files.writeString(java, source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(
            compiler.run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                Files.createDirectories(jar).toString(),
                "-cp",
                placeOf(PolicyFactory.class),
                java.toString()))
        .as("compilation of %s", type)
        .isZero();
  }

  private static void services(Path jar, String line) throws IOException {
    Path services = jar.resolve(SERVICES);
    Files.createDirectories(services.getParent());
    Files.writeString(services, line + "\n");
  }

  private static String placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Returns a loader that sees the policies of some jars, and none of the class path. */
  static URLClassLoader loader(Path... jars) {
    URL[] urls = Stream.of(jars).map(PolicyRegistryTest::url).toArray(URL[]::new);
    return new URLClassLoader(urls, PolicyFactory.class.getClassLoader()) {
      @Override
      public Enumeration<URL> getResources(String name) throws IOException {
        return findResources(name);
      }
    };
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Does not tell where its classes come from. */
  private static final class LoaderWithoutPlaces extends ClassLoader {

    private final Path jar;

    LoaderWithoutPlaces(Path jar) {
      super(PolicyFactory.class.getClassLoader());
      this.jar = jar;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try {
        byte[] code = Files.readAllBytes(jar.resolve(name.replace('.', '/') + ".class"));
        return defineClass(name, code, 0, code.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }
  }

  /** A factory of Berth, whose id needs no dot. */
  private record Ours(String id) implements PolicyFactory<Ours.Config> {

    record Config() {}

    @Override
    public String summary() {
      return "does nothing";
    }

    @Override
    public Config defaults() {
      return new Config();
    }

    @Override
    public Policy create(Config config, PolicyContext context) {
      return pass -> {};
    }
  }
}
