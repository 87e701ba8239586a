package acme.ci;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The processes of a job, on Linux. A number alone does not name a process, since numbers are used
 * again; together with the time of its start it does.
 *
 * @param leader the number of the first process, which is that of the group
 * @param started when that one started, in ticks since the machine did
 */
record ProcessGroup(long leader, long started) {

  private static final Path PROC = Path.of("/proc");

  /** What the kernel says of a process. */
  private record Stat(char state, long group, long started) {

    boolean isAlive() {
      return state != 'Z' && state != 'X'; // one that is dead may wait for its parent to look
    }
  }

  /** Returns whether one of its processes is there. */
  boolean isAlive() {
    Stat first = stat(PROC.resolve(Long.toString(leader)));
    if (first != null && first.started() != started) {
      return false; // the number is used again, which it is not while the group lives
    }
    return (first != null && first.isAlive()) || hasOthers();
  }

  private boolean hasOthers() {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path each : processes) {
        Stat stat = stat(each);
        if (stat != null && stat.group() == leader && stat.isAlive()) {
          return true;
        }
      }
      return false;
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static Stat stat(Path process) {
    try {
      String line = Files.readString(process.resolve("stat"));
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
      return new Stat(fields[0].charAt(0), Long.parseLong(fields[2]), Long.parseLong(fields[19]));
    } catch (IOException gone) {
      return null;
    }
  }

  /** Sends a signal to all of them. */
  void signal(String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -s " + name + " -- -" + leader)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
