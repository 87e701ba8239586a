package dev.berth.testkit.format;

import dev.berth.traces.Readers;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.InfrastructureFormat;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** Checks the contract of Berth's formats for infrastructures and host events. */
class InfrastructureAndHostEventFormatsTest {

  private abstract static class Hosts extends InfrastructureFormatContractTest {

    private final InfrastructureFormat format;
    private final String sample;
    private final List<String> entries;

    Hosts(String format, String sample, String... entries) {
      this.format = Provided.named(format, Readers.infrastructureFormats());
      this.sample = sample;
      this.entries = List.of(entries);
    }

    @Override
    protected InfrastructureFormat format() {
      return format;
    }

    @Override
    protected String sample() {
      return sample;
    }

    @Override
    protected List<String> entries() {
      return entries;
    }
  }

  private static String host(String id, String capacity, String attributes) {
    return "HostSpec[id=%s, capacity=%s, attributes=%s, timeShared=false, taints=[]]"
        .formatted(id, capacity, attributes);
  }

  @Nested
  class Csv extends Hosts {
    Csv() {
      super(
          "csv",
          "id,cpu,memory,attributes\nh1,4,16,zone=a\nh2,4,8,\n",
          host("h1", "cpu 4, memory 16", "{zone=a}"),
          host("h2", "cpu 4, memory 8", "{}"));
    }
  }

  @Nested
  class JsonLines extends Hosts {
    JsonLines() {
      super(
          "jsonl",
          """
          {"id":"h1","capacity":{"cpu":4,"memory":16},"attributes":{"zone":"a"}}
          {"id":"h2","capacity":{"cpu":4}}
          """,
          host("h1", "cpu 4, memory 16", "{zone=a}"),
          host("h2", "cpu 4", "{}"));
    }
  }

  @Nested
  class Qos extends Hosts {
    Qos() {
      super(
          "qos-infrastructure",
          "{1,\"Host_1\",0.5,0.25,[{\"GK\",\"ly\"}]}.\n{2,\"Host_2\",1,1,[]}.\n",
          host("1", "cpu 0.5, memory 0.25", "{GK=ly}"),
          host("2", "cpu 1, memory 1", "{}"));
    }
  }

  @Nested
  class Google extends Hosts {
    Google() {
      super(
          "google-2011",
          "0,5,0,p=,0.5,0.25\n0,6,0,p=,,\n0,7,0,p=,1,1\n",
          host("5", "cpu 0.5, memory 0.25", "{}"),
          host("7", "cpu 1, memory 1", "{}"));
    }
  }

  @Nested
  class Borg extends Hosts {
    Borg() {
      super(
          "borg-simulator",
          "5,Host_5,0.5,0.25,[GK,Ap;Ql,3]\n6,Host_6,1,1,[]\n",
          host("5", "cpu 0.5, memory 0.25", "{GK=Ap, Ql=3}"),
          host("6", "cpu 1, memory 1", "{}"));
    }
  }

  @Nested
  class Openb extends Hosts {
    Openb() {
      super(
          "alibaba-openb",
          "sn,cpu_milli,memory_mib,gpu,model\nn0,32000,1024,0,\nn1,64000,1024,8,G2\n",
          host("n0", "cpu 32, memory 1.073741824", "{}"),
          host("n1", "cpu 64, gpu 8, memory 1.073741824", "{model=G2}"));
    }
  }

  @Nested
  class Kubectl extends Hosts {
    Kubectl() {
      super(
          "kubectl",
          """
          {
          "apiVersion": "v1",
          "items": [
          {"kind":"Pod","metadata":{"name":"a"}},
          {"kind":"Node","metadata":{"name":"n1","labels":{"zone":"a"}},"status":{"allocatable":{"cpu":"3920m","memory":"1G","nvidia.com/gpu":"2"}}},
          {"kind":"Node","metadata":{"name":"n2"},"status":{"allocatable":{"cpu":"4"}}}]}
          """,
          host("n1", "cpu 3.92, gpu 2, memory 1", "{zone=a}"),
          host("n2", "cpu 4", "{}"));
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return List.of(); // the file is one document
    }
  }

  @Nested
  class Spot extends Hosts {
    Spot() {
      super(
          "alibaba-spot-2026",
          "gpu_model,gpu_capacity_num,cpu_num,node_name\nA10,1,128,2\n,0,64,c\nH800,8,192,27\n",
          host("2", "cpu 128, gpu 1", "{model=A10}"),
          host("c", "cpu 64", "{}"),
          host("27", "cpu 192, gpu 8", "{model=H800}"));
    }
  }

  @Nested
  class Alea extends Hosts {
    Alea() {
      super(
          "alea-machines",
          "0\tseth\t1\t2\t1\t1000\n1\tzegox\t2\t12\t1\t1000\n",
          host("seth-0", "cpu 2, memory 0.001024", "{cluster=seth}"),
          host("zegox-0", "cpu 12, memory 0.001024", "{cluster=zegox}"),
          host("zegox-1", "cpu 12, memory 0.001024", "{cluster=zegox}"));
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return entries().subList(0, 1);
    }
  }

  private abstract static class Events extends HostEventsFormatContractTest {

    private final HostEventsFormat format;
    private final String sample;

    Events(String format, String sample) {
      this.format = Provided.named(format, Readers.hostEventsFormats());
      this.sample = sample;
    }

    @Override
    protected HostEventsFormat format() {
      return format;
    }

    @Override
    protected String sample() {
      return sample;
    }

    @Override
    protected List<String> entries() {
      return List.of("Fails[at=1000000000, hostId=5]", "Recovers[at=2000000000, hostId=5]");
    }
  }

  @Nested
  class CsvEvents extends Events {
    CsvEvents() {
      super("csv", "time,host,event\n1,5,fails\n2,5,recovers\n");
    }
  }

  @Nested
  class JsonEvents extends Events {
    JsonEvents() {
      super(
          "jsonl",
          """
          {"time":1,"event":"fails","host":"5"}
          {"time":2,"event":"recovers","host":"5"}
          """);
    }
  }

  /** All kinds of events that Berth's own formats have and no trace. */
  private abstract static class OwnEvents extends Events {

    OwnEvents(String format, String sample) {
      super(format, sample);
    }

    @Override
    protected List<String> entries() {
      return List.of(
          "LimitSet[at=0, limit=matlab, amount=20]",
          "Tainted[at=1000000000, hostId=5, taints=[Taint[key=gpu, value=b, effect=NO_NEW, grace=PT0S]]]",
          "LimitSet[at=2000000000, limit=matlab, amount=0]");
    }
  }

  @Nested
  class CsvTaintsAndLimits extends OwnEvents {
    CsvTaintsAndLimits() {
      super(
          "csv",
          "time,host,event,value\n0,,limit,20 matlab\n1,5,taints,gpu=b:no-new\n2,,limit,0 matlab\n");
    }
  }

  @Nested
  class JsonTaintsAndLimits extends OwnEvents {
    JsonTaintsAndLimits() {
      super(
          "jsonl",
          """
          {"time":0,"event":"limit","limit":"matlab","amount":20}
          {"time":1,"event":"taints","host":"5","taints":[{"key":"gpu","value":"b","effect":"no-new"}]}
          {"time":2,"event":"limit","limit":"matlab","amount":0}
          """);
    }
  }

  @Nested
  class GoogleEvents extends Events {
    GoogleEvents() {
      super(
          "google-2011",
          "0,5,0,p=,0.5,0.25\n601000000,5,1,p=,0.5,0.25\n602000000,5,0,p=,0.5,0.25\n");
    }
  }
}
