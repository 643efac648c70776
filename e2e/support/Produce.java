import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Any Kafka producer: Kafka's own client. Each line of the input is a key, a tab and a value. */
class Produce {
  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", args[0]);
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings, bytes, bytes)) {
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int tab = line.indexOf('\t');
        byte[] key = line.substring(0, tab).getBytes(StandardCharsets.UTF_8);
        byte[] value = line.substring(tab + 1).getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(args[1], key, value)).get();
      }
    }
  }
}
