# frozen_string_literal: true

module Storage
  class Store
    attr_reader :records

    def initialize
      @records = {}
    end

    def write_record(key, value)
      @records[key.to_sym] = value
    end

    def self.open_store(path, &block)
      store = new
      File.foreach(path) { |line| store.write_record(*line.chomp.split("=", 2)) }
      block&.call(store)
      store
    end
  end

  alias_method :unused, :unused
end

text = <<~TEXT
  a heredoc with #{Storage::Store.open_store("x").records}
TEXT
