package dev.berth.kubernetes.lab;

import static dev.berth.api.Arguments.refuseIf;
import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Kubernetes API server with its database, on loopback only. Closing it deletes its data.
 *
 * <p>It is Kubernetes 1.20.2, with authorization by roles (RBAC), admission and priorities, but
 * without kubelets and controllers; {@link FakeKubelet} and {@link FakeController} play those. It
 * must have been installed once, by {@link #INSTALLATION}. It needs about 500 MB of memory, and
 * starts in a few seconds.
 *
 * <p>Its processes end when it is closed, and when this JVM ends, however it ends.
 *
 * <p>Safe for use by several threads, but its methods run one after another.
 */
public final class ControlPlane implements AutoCloseable {

  /** The command that installs what a control plane needs, from the folder of the project. */
  public static final String INSTALLATION = "kubernetes-lab/control-plane/control-plane install";

  private static final String SCRIPT = "control-plane";
  private static final int MOST_REQUESTS = 64; // of a client at once
  private static final int PATIENCE_SECONDS = 300;

  private final Path folder;
  private final Set<String> users;
  private final Thread hook = new Thread(this::end, "berth-control-plane-end");
  private boolean isClosed;

  private ControlPlane(Path folder, Set<String> users) {
    this.folder = folder;
    this.users = users;
  }

  /** Returns whether a control plane can be started, now and by this user. */
  public static boolean isInstalled() {
    try {
      Path folder = unpack();
      try {
        return run(folder, "where").code == 0;
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Starts a control plane, and returns when it answers.
   *
   * @param users names of users beside the administrator; they have no rights yet, and {@code
   *     system:serviceaccount:NAMESPACE:NAME} stands for a service account, and belongs to the
   *     groups of one
   * @throws IOException if it is not installed, does not start, or a name cannot be that of a user
   */
  public static ControlPlane start(String... users) throws IOException {
    Path folder = unpack();
    ControlPlane started = new ControlPlane(folder, new TreeSet<>(List.of(users)));
    Runtime.getRuntime().addShutdownHook(started.hook);
    List<String> words = new ArrayList<>(List.of("start", started.data(), "--while"));
    words.add(Long.toString(ProcessHandle.current().pid()));
    words.addAll(started.users);
    try {
      run(folder, words.toArray(String[]::new)).requireSuccess();
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
    return started;
  }

  /** Returns how a client connects as an administrator, who may do anything. */
  public Config config() {
    Config config = Config.fromKubeconfig(kubeconfig().toFile());
    config.setHttp2Disable(true); // a lost connection delays only its own request
    config.setMaxConcurrentRequests(MOST_REQUESTS);
    config.setMaxConcurrentRequestsPerHost(MOST_REQUESTS);
    return config;
  }

  /**
   * Returns how a client connects as a user.
   *
   * @throws IllegalArgumentException if the control plane was started without this user
   */
  public Config config(String user) {
    refuseIf(
        !users.contains(user), "ControlPlane.config: there is no user %s, only %s", user, users);
    Config config = config();
    try {
      config.setOauthToken(Files.readString(folder.resolve("data/tokens").resolve(user)));
    } catch (IOException e) {
      throw new IllegalStateException("The token of " + user + " cannot be read", e);
    }
    return config;
  }

  /** Returns the kubeconfig of the administrator. */
  public Path kubeconfig() {
    return folder.resolve("data/kubeconfig");
  }

  /** Returns the folder with the data, and with a log of each process, such as {@code etcd.log}. */
  public Path folder() {
    return folder.resolve("data");
  }

  /**
   * Kills the API server. Its data and its address stay.
   *
   * @throws IOException if that fails
   */
  public synchronized void stopApiServer() throws IOException {
    command("apiserver", "stop");
  }

  /**
   * Starts the API server again, and returns when it answers. Does nothing if it runs.
   *
   * @throws IOException if it does not start
   */
  public synchronized void startApiServer() throws IOException {
    command("apiserver", "start");
  }

  /**
   * Kills the API server and starts it again, with the same data and address. Returns when it
   * answers.
   *
   * @throws IOException if it does not start
   */
  public synchronized void restartApiServer() throws IOException {
    command("apiserver", "restart");
  }

  /**
   * Starts the scheduler of Kubernetes, for pods of {@code default-scheduler}. One that runs is
   * ended first.
   *
   * @param qps how many requests a second it sends to the API server; Kubernetes has 50 by default
   * @param burst how many requests it sends at once; Kubernetes has 100 by default
   * @throws IOException if it does not start
   */
  public synchronized void startKubeScheduler(int qps, int burst) throws IOException {
    command("scheduler", "start", Integer.toString(qps), Integer.toString(burst));
  }

  /**
   * Kills the scheduler of Kubernetes. Does nothing if it does not run.
   *
   * @throws IOException if that fails
   */
  public synchronized void stopKubeScheduler() throws IOException {
    command("scheduler", "stop");
  }

  /**
   * Returns one line for each process: whether it runs, and its memory.
   *
   * @throws IOException if that fails
   */
  public synchronized String status() throws IOException {
    return run(folder, "status", data()).output;
  }

  /** Ends all processes and deletes the data. Does nothing the second time. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM ends: the hook does the same, and the second time does nothing.
    }
    end();
  }

  private synchronized void end() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    // An interrupted thread closes too.
    boolean wasInterrupted = Thread.interrupted();
    try {
      run(folder, "stop", data()).requireSuccess();
      delete(folder);
    } catch (IOException e) {
      throw new IllegalStateException("The control plane in " + folder + " cannot be closed", e);
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void command(String command, String... words) throws IOException {
    if (isClosed) {
      throw new IOException("The control plane is closed");
    }
    List<String> all = new ArrayList<>(List.of(command, data()));
    all.addAll(List.of(words));
    run(folder, all.toArray(String[]::new)).requireSuccess();
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  /** Puts the script into a new folder. */
  private static Path unpack() throws IOException {
    Path folder = Files.createTempDirectory("berth-control-plane-");
    try (InputStream script = ControlPlane.class.getResourceAsStream(SCRIPT)) {
      Files.copy(requireNonNull(script, "the script is beside this class"), folder.resolve(SCRIPT));
    }
    return folder;
  }

  private record Outcome(String command, int code, String output, String errors) {
    void requireSuccess() throws IOException {
      if (code != 0) {
        throw new IOException(
            "%s ended with exit code %d: %s".formatted(command, code, errors.strip()));
      }
    }
  }

  private static Outcome run(Path folder, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", folder.resolve(SCRIPT).toString()));
    command.addAll(List.of(words));
    Path output = Files.createTempFile(folder, "output-", "");
    Path errors = Files.createTempFile(folder, "errors-", "");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " did not end within " + PATIENCE_SECONDS + " s");
      }
      return new Outcome(
          SCRIPT + " " + words[0],
          process.exitValue(),
          Files.readString(output, StandardCharsets.UTF_8),
          Files.readString(errors, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted during " + command, e);
    } finally {
      Files.deleteIfExists(output);
      Files.deleteIfExists(errors);
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> paths;
    try (Stream<Path> found = Files.walk(folder)) {
      paths = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }
}
