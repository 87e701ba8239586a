package acme.ci;

import dev.berth.api.Request;
import dev.berth.runtime.journal.ForceMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs jobs on three hosts, prints what became of them, and checks the books. */
public final class Main {

  private Main() {}

  /**
   * Submits the first jobs of a list, and ends when they have completed. It may be killed and
   * called again with the same folder.
   *
   * @param args the folder, the number of jobs, the policy, and when the journal waits for the
   *     disk; each may be left out
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path root = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("ci-runners");
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 30;
    String policy = args.length > 2 ? args[2] : "priority";
    ForceMode force = ForceMode.valueOf(args.length > 3 ? args[3] : "GROUP");
    addHosts(root);
    List<Request> jobs = Jobs.first(count);
    List<String> ids = jobs.stream().map(Request::id).toList();
    try (CiService service = new CiService(root, policy, force)) {
      for (Request each : jobs) {
        service.submit(each).join();
        if (!service.completed().contains(each.id())) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      }
      while (!service.isIdle() || !service.completed().containsAll(ids)) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      System.out.println(service.figures());
    }
    List<String> findings = Audit.of(root, ids);
    findings.forEach(System.out::println);
    System.out.printf("%d jobs: %d findings, see %s%n", count, findings.size(), root);
  }

  /** Makes the hosts, unless they are there. */
  static void addHosts(Path root) throws IOException {
    for (int i = 1; i <= 3; i++) {
      Path host = Files.createDirectories(root.resolve("hosts/h" + i));
      Path draft = Files.writeString(root.resolve("capacity"), i + " " + 1_000_000_000L);
      Files.move(draft, host.resolve("capacity"), StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
