defmodule Post.Office do
  alias Post.Parcel

  def send_all(addresses) do
    addresses
    |> Enum.map(&Parcel.new(&1, 5))
    |> Enum.reject(&Parcel.heavy?/1)
    |> Enum.each(&deliver/1)
  end

  defp deliver(parcel), do: IO.inspect(parcel)
end

defimpl Post.Trackable, for: Post.Parcel do
  def track(item), do: Post.Office.send_all([item.address])
end
