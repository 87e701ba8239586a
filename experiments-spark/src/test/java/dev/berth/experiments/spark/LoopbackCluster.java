package dev.berth.experiments.spark;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Spark's own master and workers of one core, as processes on the loopback interface. Their
 * libraries are those of Spark: nothing of Berth, and none of the libraries that only Berth has.
 */
final class LoopbackCluster {

  static final String HOST = "127.0.0.1";

  /** What Spark does not bring itself; executors get it from the experiment. */
  private static final List<String> OURS =
      List.of(
          "berth",
          "HdrHistogram",
          "hipparchus",
          "commons-numbers",
          "commons-rng",
          "commons-statistics",
          "jackson-dataformat",
          "jackson-datatype",
          "picocli");

  private final Path home;
  private final int port;
  private final Process master;
  private final Deque<Process> workers = new ArrayDeque<>();
  private int started;

  /** Starts a master. */
  LoopbackCluster(Path folder) throws IOException {
    home = Files.createDirectory(folder.resolve("spark"));
    Path jars = Files.createDirectory(home.resolve("jars"));
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(each);
      String name = path.getFileName().toString();
      if (Files.isRegularFile(path) && OURS.stream().noneMatch(name::startsWith)) {
        Files.createSymbolicLink(jars.resolve(name), path.toAbsolutePath());
      }
    }
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    master =
        start(
            "master",
            "org.apache.spark.deploy.master.Master",
            "--host",
            HOST,
            "--port",
            Integer.toString(port),
            "--webui-port",
            "0");
  }

  String address() {
    return "spark://%s:%s".formatted(HOST, port);
  }

  void startWorker() throws IOException {
    started++;
    workers.add(
        start(
            "worker-" + started,
            "org.apache.spark.deploy.worker.Worker",
            "--host",
            HOST,
            "--webui-port",
            "0",
            "--cores",
            "1",
            "--memory",
            "640m",
            "--work-dir",
            home.resolve("work-" + started).toString(),
            address()));
  }

  /** Kills the older worker and its executors. */
  void killWorker() throws InterruptedException {
    kill(workers.remove());
  }

  /** Returns how to start a program beside the cluster, with a class path. */
  static ProcessBuilder program(String classPath, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().put("SPARK_LOCAL_IP", HOST);
    return process;
  }

  private Process start(String name, String main, String... arguments) throws IOException {
    ProcessBuilder process =
        program(home.resolve("jars") + File.separator + "*", main, List.of(arguments));
    process.environment().put("SPARK_HOME", home.toString());
    process.environment().put("SPARK_SCALA_VERSION", "2.13");
    return process
        .redirectErrorStream(true)
        .redirectOutput(home.resolve(name + ".log").toFile())
        .start();
  }

  private static void kill(Process process) throws InterruptedException {
    List<ProcessHandle> executors = process.descendants().toList();
    process.destroyForcibly(); // before it could replace its executors
    executors.forEach(ProcessHandle::destroyForcibly);
    process.waitFor(1, TimeUnit.MINUTES);
  }

  /** Kills all processes. */
  void stop() throws InterruptedException {
    for (Process each : workers) {
      kill(each);
    }
    kill(master);
  }
}
